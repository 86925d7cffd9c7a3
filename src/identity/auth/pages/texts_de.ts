/** All texts of the pages in German. */
import type { Texts } from "./texts_en.ts";

export const german: Texts = {
  language: "de",
  product: "Wayline CRM",
  email: "E-Mail-Adresse",
  password: "Passwort",
  signIn: "Anmelden",
  signInTo: (application) => `${application} bittet Sie, sich mit Ihrem Konto bei Wayline CRM anzumelden.`,
  signInLead: "Mit Ihrem Konto bei Wayline CRM.",
  wrongPassword: "Die E-Mail-Adresse oder das Passwort ist falsch.",
  continueWith: (provider) => `Weiter mit ${provider}`,
  singleSignOn: "Single Sign-on benutzen",
  sso: "Single Sign-on",
  ssoLead: "Geben Sie die Nummer der Firma ein. Ihre Verwaltung kennt sie.",
  ssoCompany: "Nummer der Firma",
  ssoNone: "Für diese Nummer ist kein Single Sign-on eingerichtet.",
  goOn: "Weiter",
  ssoChoose: "Wählen Sie, wie Sie sich anmelden.",
  withPassword: "Mit einem Passwort anmelden",
  ssoUnknown: {
    title: "Single Sign-on nicht gefunden",
    text: "Die Firma benutzt diesen Anbieter nicht oder nicht mehr.",
    again: true,
  },
  ssoExpired: {
    title: "Anmeldung nicht abgeschlossen",
    text: "Sie begann in einem anderen Browser, ist abgelaufen oder schon abgeschlossen. " +
      "Bitte beginnen Sie noch einmal.",
    again: true,
  },
  ssoDenied: {
    title: "Sie wurden nicht angemeldet",
    text: "Ihr Anbieter hat nicht bestätigt, wer Sie sind.",
    again: true,
  },
  ssoFailed: {
    title: "Ihr Anbieter ist nicht erreichbar",
    text: "Er hat nicht geantwortet, oder seine Antwort war ungültig. " +
      "Versuchen Sie es später noch einmal, oder wenden Sie sich an Ihre Verwaltung.",
    again: true,
  },
  ssoNobody: {
    title: "Niemand hat dieses Konto",
    text: "Ihr Anbieter hat Ihr Konto bestätigt, aber hier ist niemand damit verbunden. " +
      "Wenden Sie sich an Ihre Verwaltung.",
    again: true,
  },
  signedIn: "Sie sind angemeldet",
  signedInAs: (email) => `Angemeldet als ${email}.`,
  signOut: "Abmelden",
  otherAccount: "Ein anderes Konto benutzen",
  signedOut: { title: "Sie sind abgemeldet", text: "Sie können diese Seite schließen.", again: true },
  signInAgain: "Neu anmelden",
  consent: (application) => `Darf ${application} Ihr Konto benutzen?`,
  consentLead:
    "Die Anwendung kann dann in Wayline CRM alles sehen und ändern, was Sie sehen und ändern können.",
  consentOf: (company) => `Sie gehört zu ${company}.`,
  consentTo: (host) => `Sie kommen danach zu ${host}.`,
  allow: "Erlauben",
  deny: "Ablehnen",
  device: "Ein Gerät verbinden",
  deviceLead: "Geben Sie den Code ein, den das Gerät zeigt.",
  deviceCode: "Code",
  deviceHint: "Acht Ziffern.",
  deviceWarning: "Das Gerät kann dann alles sehen und ändern, was Sie sehen und ändern können. " +
    "Fahren Sie nur fort, wenn Sie das eben auf Ihrem eigenen Gerät begonnen haben.",
  deviceWrong: "Dieser Code ist falsch oder abgelaufen.",
  deviceAllowed: {
    title: "Das Gerät ist verbunden",
    text: "Gehen Sie zurück zu Ihrem Gerät. Sie können diese Seite schließen.",
  },
  deviceDenied: { title: "Das Gerät wurde abgelehnt", text: "Sie können diese Seite schließen." },
  unknownClient: {
    title: "Diese Anwendung ist unbekannt",
    text: "Der Link nennt keine bekannte Anwendung. Gehen Sie zurück und versuchen Sie es noch einmal.",
  },
  wrongRedirect: {
    title: "Diese Anfrage ist nicht sicher",
    text: "Sie würde Sie zu einer Adresse leiten, die die Anwendung nicht angemeldet hat.",
  },
  otherCompany: {
    title: "Diese Anwendung gehört zu einer anderen Firma",
    text: "Mit diesem Konto können Sie sie nicht benutzen.",
  },
  forgot: "Passwort vergessen?",
  forgotLead: "Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.",
  sendLink: "Link senden",
  sendAnother: "Noch einen Link senden",
  backToSignIn: "Zurück zur Anmeldung",
  resetAsked: {
    title: "Sehen Sie in Ihre Post",
    text:
      "Wenn jemand diese Adresse hat, haben wir einen Link gesendet. Er gilt einmal, innerhalb von 24 Stunden.",
    back: true,
  },
  reset: "Neues Passwort wählen",
  resetLead: "Sie werden überall abgemeldet und melden sich dann mit dem neuen Passwort an.",
  resetDone: { title: "Ihr Passwort ist geändert", text: "Sie wurden überall abgemeldet.", again: true },
  resetGone: {
    title: "Dieser Link gilt nicht mehr",
    text: "Er wurde schon benutzt oder ist älter als 24 Stunden.",
    forgot: true,
  },
  invitation: (company) => `${company} beitreten`,
  invitationLead: (company) =>
    `${company} lädt Sie zu Wayline CRM ein. Geben Sie Ihren Namen ein und wählen Sie ein Passwort.`,
  invitationGone: {
    title: "Diese Einladung gilt nicht mehr",
    text: "Sie wurde benutzt oder zurückgezogen oder ist älter als sieben Tage. Bitten Sie um eine neue.",
  },
  firstName: "Vorname",
  lastName: "Nachname",
  newPassword: "Neues Passwort",
  passwordHint: "Mindestens 10 Zeichen.",
  accept: "Beitreten",
  someFaults: "Bitte prüfen Sie diese Felder:",
  anyFault: "Dieser Wert ist nicht gültig.",
  faults: {
    email: {
      format: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.org.",
      max: "Eine E-Mail-Adresse hat höchstens 100 Zeichen.",
      unique: "Jemand hat diese E-Mail-Adresse schon.",
    },
    first_name: {
      min: "Geben Sie Ihren Vornamen ein.",
      max: "Ein Vorname hat höchstens 255 Zeichen.",
    },
    last_name: {
      min: "Geben Sie Ihren Nachnamen ein.",
      max: "Ein Nachname hat höchstens 255 Zeichen.",
    },
    password: {
      min: "Das Passwort braucht mindestens 10 Zeichen.",
      max: "Das Passwort hat höchstens 1024 Zeichen.",
    },
  },
  forged: {
    title: "Dieses Formular ist abgelaufen",
    text: "Erlauben Sie Cookies, gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.",
  },
  malformed: {
    title: "Dieses Formular ist nicht gültig",
    text: "Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.",
  },
  tooMany: {
    title: "Zu viele Versuche",
    text: "Warten Sie ein paar Minuten und versuchen Sie es noch einmal.",
  },
  slow: {
    title: "Das hat zu lange gedauert",
    text: "Das Formular kam nicht rechtzeitig an. Versuchen Sie es noch einmal.",
  },
  busy: { title: "Der Dienst ist ausgelastet", text: "Versuchen Sie es gleich noch einmal." },
  broken: {
    title: "Etwas ging schief",
    text: "Der Fehler liegt bei uns. Versuchen Sie es gleich noch einmal.",
  },
};
