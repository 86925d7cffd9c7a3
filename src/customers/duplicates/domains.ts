/** Domains of websites and e-mail addresses. */
import { foldText } from "../../core/text.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import { type Sql, sql } from "../../db/statements.ts";

/** Providers whose addresses say nothing about where a person works. */
const publicProviders: ReadonlySet<string> = new Set(
  (
    "aol.com arcor.de bluewin.ch btinternet.com comcast.net fastmail.com freenet.de free.fr gmail.com gmx.at " +
    "gmx.ch gmx.com gmx.de gmx.net googlemail.com hetnet.nl home.nl hotmail.be hotmail.co.uk hotmail.com " +
    "hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl hushmail.com icloud.com kpnmail.nl laposte.net " +
    "libero.it live.be live.co.uk live.com live.de live.fr live.nl mac.com mail.com mail.de mail.ru me.com " +
    "msn.com orange.fr outlook.at outlook.com outlook.de outlook.es outlook.fr planet.nl posteo.de proton.me " +
    "protonmail.com qq.com rocketmail.com seznam.cz sfr.fr skynet.be t-online.de telenet.be tutanota.com " +
    "upcmail.nl wanadoo.fr web.de wp.pl xs4all.nl yahoo.co.uk yahoo.com yahoo.de yahoo.es yahoo.fr yahoo.it " +
    "yandex.ru ymail.com zeelandnet.nl ziggo.nl zoho.com zonnet.nl 163.com 126.com"
  ).split(" "),
);

/** Returns the domain of an e-mail address in its compared form; null without one, or of a public provider. */
export function extractCompanyDomain(email: string): string | null {
  const domain = foldText(email.replaceAll(/\s+/g, "")).split("@").at(-1)!;
  return !email.includes("@") || domain === "" || publicProviders.has(domain) ? null : domain;
}

/** Returns the domain of a website, without `www.`; null without one. */
export function extractDomain(website: string): string | null {
  const text = foldText(website.trim());
  const [host = ""] = text.slice(text.indexOf("://") < 0 ? 0 : text.indexOf("://") + 3).split(/[/?#:]/);
  return (host.startsWith("www.") ? host.slice(4) : host) || null;
}

/** SQL: the domain of the e-mail address of a contact `c`. */
export function composeEmailDomain(): Sql {
  const email = composeCaseFold("c", "email");
  return sql`substr(${email}, instr(${email}, '@') + 1)`;
}

/** SQL: `extractDomain` the website of an account `a`. */
export function composeWebsiteDomain(): Sql {
  const website = composeCaseFold("a", "website");
  return sql`(select iif(substr(host, 1, 4) = 'www.', substr(host, 5), host) from (
    select substr(rest, 1, instr(rest || '/', '/') - 1) as host from (
    select replace(replace(replace(iif(instr(text, '://') = 0, text, substr(text, instr(text, '://') + 3)),
      '?', '/'), '#', '/'), ':', '/') as rest from (select trim(${website}) as text))))`;
}
