/** The lanes in which mail waits. */

/**
 * `prompt`: mail that opens the service to somebody who waits for it, such as a password reset or an invitation.
 * `correspondence`: what users write, and notifications, of any number; companies take turns. Both are sent right
 * after the commit.
 * `automated`: mail that the service sends by itself; sent by jobs, at `MAIL_RATE`. No lane waits for another.
 */
export const mailLanes = { prompt: 0, automated: 1, correspondence: 2 } as const;
export type MailLane = keyof typeof mailLanes;
