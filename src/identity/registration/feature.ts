import type { Feature } from "../../feature.ts";
import { registrationEndpoints } from "./routes.ts";

export const registration: Feature = {
  folder: "identity/registration",
  endpoints: registrationEndpoints,
};
