/** Reads a lead, with what its forms offer. */
import type { Choice } from "../forms.tsx";
import type { FieldValue, Party } from "../parts/customer.ts";
import { type Offer, readNames, readPeople, readProcesses } from "../parts/choices.ts";
import type { Visit } from "../visit.ts";
import { type KnownCustomer, showKnownCustomers } from "./known_customers.ts";
import { type LeadRecord, mayAccept } from "./summary.ts";

interface FullParty extends Party {
  readonly custom_fields: readonly FieldValue[];
}

interface By {
  readonly user_id: number | null;
}

export interface FullLead extends LeadRecord {
  readonly account: FullParty;
  readonly contact: FullParty;
  readonly lead_data: readonly { readonly key: string; readonly type: string; readonly value: unknown }[];
  readonly assignments: readonly (By & { readonly assignment_date: string })[];
  readonly acceptions: readonly (By & { readonly accepted_date: string })[];
  readonly rejections:
    readonly (By & { readonly rejection_date: string; readonly rejection_reason: string })[];
  readonly escalations: readonly { readonly escalation_date: string }[];
  readonly calls: readonly (By & { readonly call_date: string })[];
  readonly revocations: readonly { readonly revocation_date: string }[];
}

/** How it came to where it is, and what happens next by itself. */
export interface Explanation {
  readonly moves: readonly {
    readonly move: string;
    readonly to: string;
    readonly at: string;
    readonly by: { readonly type: "user" | "timer" | "unknown"; readonly name: string | null };
    readonly team: { readonly name: string | null } | null;
    readonly reason: string | null;
  }[];
  readonly next: { readonly at: string; readonly rule: string } | null;
}

export interface LeadContent {
  readonly lead: FullLead;
  readonly explanation: Explanation;
  readonly people: Offer;
  /** Names of the people of its history, by id. */
  readonly names: ReadonlyMap<string, string>;
  /** What the person may do now. */
  readonly may: Readonly<Record<"accept" | "reject" | "call" | "assign" | "delete", boolean>>;
  /** Customers that it may be about, for those who may accept it. */
  readonly known: readonly KnownCustomer[];
  /** The choices of the form "Accept". */
  readonly processes: readonly Choice[];
  /** Dealer teams with their open cases, fewest first. */
  readonly dealers: readonly { readonly id: number; readonly name: string; readonly cases: number }[];
}

interface TeamList {
  readonly data: readonly { readonly id: number; readonly name: string; readonly case_count: number }[];
}

const assignable: readonly string[] = ["assignable", "rejected", "revoked"];

export async function readLead(visit: Visit): Promise<LeadContent> {
  const { call, params, may, person } = visit;
  const { caller } = person.known;
  const isAgency = may("agency");
  const canAccept = caller!.userType === "admin" || caller!.teamIds.length > 0;
  const [lead, explanation, people, processes, dealers, known] = await Promise.all([
    call<FullLead>("getLead", { params }),
    call<Explanation>("explainLead", { params }),
    readPeople(visit),
    readProcesses(visit),
    isAgency ? call<TeamList>("listAssignableTeams", { params }) : null,
    canAccept ? showKnownCustomers(visit, params.lead_id!) : [],
  ]);
  const accepts = mayAccept(lead, caller!);
  const teams = (dealers?.data ?? []).map(({ id, name, case_count }) => ({ id, name, cases: case_count }));
  return {
    lead,
    explanation,
    people,
    names: await readNames(
      visit,
      "people",
      people,
      [lead.assignments, lead.acceptions, lead.rejections, lead.calls].flat().map(({ user_id }) => user_id),
    ),
    known: accepts ? known : [],
    may: {
      accept: accepts,
      reject: accepts,
      call: isAgency && lead.status === "escalated",
      assign: isAgency && assignable.includes(lead.status),
      delete: may("leads.delete"),
    },
    processes,
    dealers: teams.sort((a, b) => a.cases - b.cases || a.name.localeCompare(b.name)),
  };
}
