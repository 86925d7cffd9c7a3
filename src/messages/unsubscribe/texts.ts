/** The texts of the page, in one place. */
export const texts = {
  ask: "Unsubscribe from e-mails?",
  askLead: (company: string) => `${company} will send you no more e-mails like the one that led here.`,
  unsubscribe: "Unsubscribe",
  done: "You are unsubscribed",
  doneLead: (company: string) => `${company} sends you no more of these e-mails.`,
  testTitle: "This is a test",
  test: "The link came with a test e-mail. Nobody was unsubscribed.",
  dead: {
    title: "This link does not work",
    text: "Open the link in the e-mail again, or ask the sender to remove you.",
  },
  malformed: { title: "That did not work", text: "Open the link in the e-mail again and use the button." },
} as const;
