/** The most columns of a board that classes of the stylesheet count. More never fit beside each other. */
export const mostCounted = 12;
