/** The operations that a sweep treats otherwise, each with its reason. `exceptions.test.ts` counts them. */

export interface Exception {
  readonly operation: string;
  /** `repeated`: not sent twice. `unchanged`: a refusal may change something. `file`: its body is no JSON. */
  readonly rule: "repeated" | "unchanged" | "file";
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  {
    operation: "deleteCompany",
    rule: "repeated",
    reason: "It ends all tokens of the company, that of its own call too, so nobody can repeat it.",
  },
  {
    operation: "activateDevice",
    rule: "unchanged",
    reason: "A wrong code is refused and counted, since ten of them close the door for a while.",
  },
  {
    operation: "changePassword",
    rule: "unchanged",
    reason: "A wrong old password is refused and counted, since ten of them close the door for a while.",
  },
  {
    operation: "acceptInvitation",
    rule: "unchanged",
    reason: "A wrong token is refused and counted, since ten of them close the door for a while.",
  },
  {
    operation: "resetPassword",
    rule: "unchanged",
    reason: "A wrong token is refused and counted, since ten of them close the door for a while.",
  },
  {
    operation: "setProfilePicture",
    rule: "file",
    reason: "It takes a picture of 2 MiB at most; the tests of pictures hold that limit.",
  },
  {
    operation: "createImport",
    rule: "file",
    reason: "It takes a file of 100 MiB at most; the tests of imports hold that limit.",
  },
  {
    operation: "uploadCompanyFile",
    rule: "file",
    reason: "It takes a file of 10 MiB at most; the tests of the file manager hold that limit.",
  },
  {
    operation: "uploadGroupFile",
    rule: "file",
    reason: "It takes a file of 10 MiB at most; the tests of the file manager hold that limit.",
  },
  {
    operation: "uploadTeamFile",
    rule: "file",
    reason: "It takes a file of 10 MiB at most; the tests of the file manager hold that limit.",
  },
  {
    operation: "uploadUserFile",
    rule: "file",
    reason: "It takes a file of 10 MiB at most; the tests of the file manager hold that limit.",
  },
  {
    operation: "uploadFileToFolder",
    rule: "file",
    reason: "It takes a file of 10 MiB at most; the tests of the file manager hold that limit.",
  },
  {
    operation: "createImport",
    rule: "unchanged",
    reason: "It announces its object before the form is read, and takes that back when it refuses the form.",
  },
  {
    operation: "uploadCompanyFile",
    rule: "unchanged",
    reason: "It announces its object before the form is read, and takes that back when it refuses the form.",
  },
  {
    operation: "uploadGroupFile",
    rule: "unchanged",
    reason: "It announces its object before the form is read, and takes that back when it refuses the form.",
  },
  {
    operation: "uploadTeamFile",
    rule: "unchanged",
    reason: "It announces its object before the form is read, and takes that back when it refuses the form.",
  },
  {
    operation: "uploadUserFile",
    rule: "unchanged",
    reason: "It announces its object before the form is read, and takes that back when it refuses the form.",
  },
  {
    operation: "uploadFileToFolder",
    rule: "unchanged",
    reason: "It announces its object before the form is read, and takes that back when it refuses the form.",
  },
  {
    operation: "setCompanyLogos",
    rule: "file",
    reason: "It takes pictures of 2 MiB at most; the tests of pictures hold that limit.",
  },
];

/** Whether the operation is an exception to the rule. */
export function isException(operation: string, rule: Exception["rule"]): boolean {
  return exceptions.some((exception) => exception.operation === operation && exception.rule === rule);
}
