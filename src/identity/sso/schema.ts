import { z } from "zod";
import { filledLine, filledText } from "../../http/zod.ts";
import { refusal } from "../../http/validate.ts";

/** The most drivers of a company. */
const most = 20;

export const SsoDriver = z.object({
  provider_name: z.string().meta({ example: "Okta" }),
  issuer: z.string().meta({ example: "https://acme.okta.com" }),
  client_id: z.string().meta({ example: "0oa1b2c3d4e5f6g7h8i9" }),
  client_secret: z.string().meta({
    description: "Masked. Shows the last four characters of a secret of at least twelve.",
    example: "••••h7sQ",
  }),
}).meta({
  id: "SsoDriver",
  description: "An OpenID Connect provider that the company's users sign in through.",
});

export const SsoDrivers = z.array(SsoDriver).meta({ id: "SsoDrivers" });

/** The name is part of the redirect address, so it has only a few characters besides letters and digits. */
const providerName = filledLine(60).refine(
  (name) => /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?$/u.test(name),
  refusal("format", "Must be letters and digits, with spaces, dots, hyphens and underscores between them."),
).meta({ example: "Okta" });

const GivenSsoDriver = z.object({
  provider_name: providerName,
  issuer: filledLine(255).meta({
    description: "The issuer of the provider's metadata, with https. " +
      "`<issuer>/.well-known/openid-configuration` must answer.",
    example: "https://acme.okta.com",
  }),
  client_id: filledLine(255).meta({ example: "0oa1b2c3d4e5f6g7h8i9" }),
  client_secret: filledText(1024).optional().meta({
    description: "Absent or masked: keeps the secret that is stored for this issuer and client_id.",
    example: "k8sT0c3nVb2xq9Yw4o8i1cYkq0m0b5n2h7sQ",
  }),
}).meta({ id: "GivenSsoDriver" });

export type GivenSsoDriver = z.output<typeof GivenSsoDriver>;
export const UpdateSso = z.array(GivenSsoDriver).max(most, `At most ${most} drivers.`)
  .superRefine((drivers, ctx) => {
    const names = new Set<string>();
    drivers.forEach(({ provider_name }, index) => {
      if (names.has(provider_name)) {
        ctx.addIssue({
          code: "custom",
          message: "Must be unique in the list.",
          params: { code: "unique" },
          path: [index, "provider_name"],
        });
      }
      names.add(provider_name);
    });
  }).meta({
    id: "UpdateSso",
    example: [{
      provider_name: "Okta",
      issuer: "https://acme.okta.com",
      client_id: "0oa1b2c3d4e5f6g7h8i9",
      client_secret: "k8sT0c3nVb2xq9Yw4o8i1cYkq0m0b5n2h7sQ",
    }],
  });
