/** Users and teams of a history, and the effects of deleting them. */
import { seeCase } from "./cases.ts";
import { livingAccounts, livingContacts, seeAccount, seeContact } from "./customers.ts";
import { seeLeads } from "./leads.ts";
import { call, chooseFrom, type Draw, type Person, readSeconds, type Scene } from "./scene.ts";

const others = ({ people, admin, agent }: Scene) =>
  people.filter((person) => person !== admin && person !== agent && person.life.now.isThere);

export async function changeTeams(scene: Scene, draw: Draw): Promise<void> {
  const person = chooseFrom(others(scene), draw.which);
  if (!person) return;
  const teams = scene.teams.filter((_, index) => (1 + draw.pick) & (1 << index));
  const before = person.life.now.teams;
  if (teams.length === before.length && teams.every((team) => before.includes(team))) return;
  await call(scene, scene.admin, "PUT", userPath(scene, person), { team_ids: teams });
  person.life.change(readSeconds(scene.app), { teams });
}

/** Deletes a user. Open cases and tasks go to an admin, or stay. */
export async function deleteUser(scene: Scene, draw: Draw): Promise<void> {
  const person = chooseFrom(others(scene), draw.which);
  // Some users must remain.
  if (!person || others(scene).length < 4) return;
  const to = draw.flag ? `?assign_to=${scene.admin.actor.id}` : "";
  await call(scene, scene.admin, "DELETE", userPath(scene, person) + to);
  person.life.change(readSeconds(scene.app), { isThere: false, teams: [] });
  await scene.app.idle();
  for (const of of scene.cases) await seeCase(scene, of);
}

const userPath = ({ company }: Scene, { actor }: Person) => `/v1/companies/${company.id}/users/${actor.id}`;

export async function regroup(scene: Scene, draw: Draw): Promise<void> {
  const team = chooseFrom(scene.teams, draw.which)!;
  const group_id = [...scene.groups, null][draw.pick % 3]!;
  if (scene.groupOf.get(team) === group_id) return;
  await call(scene, scene.admin, "PUT", `/v1/teams/${team}`, { group_id });
  scene.groupOf.set(team, group_id);
}

export async function deleteAccount(scene: Scene, draw: Draw): Promise<void> {
  const account = chooseFrom(livingAccounts(scene), draw.which);
  if (!account) return;
  await call(scene, scene.admin, "DELETE", `/v1/accounts/${account.id}`);
  await seeAll(scene);
}

export async function deleteContact(scene: Scene, draw: Draw): Promise<void> {
  const contact = chooseFrom(livingContacts(scene), draw.which);
  if (!contact) return;
  await call(
    scene,
    scene.admin,
    "DELETE",
    `/v1/accounts/${contact.account.id}/contacts/${contact.id}`,
  );
  await seeAll(scene);
}

/**
 * Deletes a team. Its records go to another team; its facts stay. No later action may name the deleted team.
 */
export async function deleteTeam(
  scene: Scene,
  { which, pick }: { which: number; pick: number },
): Promise<void> {
  const team = chooseFrom(scene.teams, which)!;
  const to = chooseFrom(scene.teams.filter((id) => id !== team), pick)!;
  await call(scene, scene.admin, "DELETE", `/v1/teams/${team}?assign_to=${to}`);
  await scene.app.idle();
  scene.groupOf.delete(team);
  for (const { life } of scene.people) {
    const { teams } = life.now;
    if (teams.includes(team)) {
      life.change(readSeconds(scene.app), { teams: teams.filter((id) => id !== team) });
    }
  }
  await seeAll(scene);
}

async function seeAll(scene: Scene): Promise<void> {
  for (const account of scene.accounts) await seeAccount(scene, account);
  for (const contact of scene.contacts) await seeContact(scene, contact);
  for (const of of scene.cases) await seeCase(scene, of);
  await seeLeads(scene);
}
