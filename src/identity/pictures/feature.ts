import type { Feature } from "../../feature.ts";
import { pictureOperations, servePictures } from "./serve.ts";

export const pictures: Feature = {
  folder: "identity/pictures",
  routes: [{ serve: servePictures, operations: pictureOperations }],
};
