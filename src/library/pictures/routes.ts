/** Endpoints of `/filemanager/pictures`. The address of a picture is served in `serve.ts`. */
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { publishPicture } from "./publish.ts";
import { PictureBody, PublishedPicture } from "./schema.ts";
import { withdrawPicture } from "./withdraw.ts";

const tag = "Files";

export const publishedPictureEndpoints: Endpoint[] = [
  endpoint({
    method: "post",
    path: "/v1/filemanager/pictures",
    operation: "publishPicture",
    tag,
    summary: "Publish a picture, for campaigns and signatures",
    description:
      "Publishes a copy, without metadata such as place, time or camera, and SVG without scripts; " +
      "the file itself does not become public. For users who may change the file. A picture that is published " +
      "already keeps its address.",
    right: "files.publish",
    body: PictureBody,
    answers: { 201: { description: "The address of the copy.", schema: PublishedPicture } },
  }, (ctx, { body }) => publishPicture(ctx, body)),
  endpoint({
    method: "delete",
    path: "/v1/filemanager/pictures/:file_id",
    operation: "withdrawPicture",
    tag,
    summary: "Withdraw a published picture",
    description:
      "Its address stops working; caches may serve it for some minutes. For users who may change the file.",
    params: { file_id: "uuid" },
    answers: { 204: { description: "The picture is withdrawn.", schema: null } },
  }, (ctx, { params }) => withdrawPicture(ctx, params.file_id)),
];
