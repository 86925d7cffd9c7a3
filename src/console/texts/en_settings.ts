/** Texts of the settings of a person in English. */
import type { NotificationType } from "../../core/notifications.ts";

export const englishSettings = {
  me: {
    title: "Your settings",
    signOut: "Sign out",
    docs: "Documentation of the API",
    timezone: "Time zone",
    language: "Language",
    signature: "Signature",
    oldPassword: "Old password",
    newPassword: "New password",
    changePassword: "Change password",
    activeTeam: "Active team",
    switchTeam: "Switch team",
    notifications: "Notifications",
    ways: { app: "Here", mail: "By e-mail", push: "On the telephone" },
    notificationTypes: {
      note: "A note mentions you",
      task_assigned: "A task is assigned to you",
      overdue_task: "A task is overdue",
      lead_assigned: "A lead is assigned",
      lead_escalated: "A lead escalates",
      lead_revoked: "A lead is revoked",
      lead_accepted: "A lead is accepted",
      case_owner: "A case becomes yours",
      inbox: "Somebody shares a mail with you",
      incoming_email: "A mail arrives",
      email_opened: "A mail is opened",
      webhook_paused: "A webhook is paused",
      handed_over: "Work is handed over to you",
      campaign_sent: "A campaign is sent",
      scheduled_report: "A scheduled report is ready",
      scheduled_report_failed: "A scheduled report fails",
      notified_report: "Somebody sends you a report",
      custom: "A message of another system",
    } as Record<NotificationType, string>,
  },
};

export type SettingsTexts = typeof englishSettings;
