import type { Feature } from "../../feature.ts";
import { publishedPictureEndpoints } from "./routes.ts";
import { publishedPictureOperations, servePublishedPictures } from "./serve.ts";

export const publishedPictures: Feature = {
  folder: "library/pictures",
  endpoints: publishedPictureEndpoints,
  routes: [{ serve: servePublishedPictures, operations: publishedPictureOperations }],
};
