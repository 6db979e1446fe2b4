// Votes as they are cast and counted, and a roster that changes meanwhile.
import type { Member } from '../../../src/kernel/roster/roster.ts';
import type { MissionState, State } from '../../../src/kernel/state.ts';
import type { Verdict } from '../../../src/kernel/verdict.ts';
import { replay, whenSaid } from '../course.ts';
import { rosterAdoption } from '../examples.ts';
import { CAST, fact, missionAfter, when } from '../given.ts';
import { nextRoster, type TestKey } from '../people.ts';
import { approved, vote, type Terms } from './asked.ts';

export function cast(state: MissionState, about: Terms, who: TestKey, by?: TestKey, changes = {}): Verdict<State> {
  const said = vote(about, who, by, changes);
  return whenSaid(state, said.event, said.by);
}

/** The votes, and then what the approval answers that they are said to make. */
export function approve(state: MissionState, about: Terms, voters: readonly TestKey[], changes = {}): Verdict<State> {
  const voted = replay(
    state,
    voters.map((who) => vote(about, who)),
  );
  return when(voted, approved(about, voters, changes), CAST.gate);
}

/** The next roster in force, with its members changed or gone. */
export function withRoster(state: MissionState, change: (one: Member) => Member | undefined): MissionState {
  const members = state.roster.members.flatMap((one) => change(one) ?? []);
  const adopted = fact('roster.adopted', rosterAdoption(nextRoster(state.roster, { members })), CAST.gate);
  return missionAfter(when(state, adopted, CAST.gate));
}
