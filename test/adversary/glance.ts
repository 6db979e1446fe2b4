// All that the walks look up in a mission's state: honest people because they decide by it, liars because they aim by it.
// The promises look at none of it.
import type { UnderWay } from '../../src/kernel/decide/about.ts';
import { askedOf } from '../../src/kernel/approval/asked.ts';
import { agentCellOf, type Course, type MissionCourse } from '../../src/kernel/course/course.ts';
import { courseOf as stepOf } from '../../src/kernel/course/steps.ts';
import type { MissionState } from '../../src/kernel/state.ts';

type Seen = MissionState | undefined;

export function missionCourse(state: Seen): MissionCourse | undefined {
  return state?.course;
}

function courseOf(state: Seen): Course | undefined {
  return state && stepOf(state);
}

export function isCancelled(state: Seen): boolean {
  return (state?.course?.cancelled ?? null) !== null;
}

export function isOver(state: Seen): boolean {
  return (state?.course?.end ?? null) !== null;
}

/** The task, step and attempt at hand. */
export function atHand(state: Seen): UnderWay | undefined {
  const course = courseOf(state);
  const { step = null, attempt = null } = course ?? {};
  if (state === undefined || course === undefined || step === null || attempt === null) return undefined;
  return { mission: state.ledger_id, course, task: step.task, step: step.id, attempt: attempt.id };
}

export function fenceOf(state: Seen): number {
  return state?.course?.fence ?? 0;
}

/** What the lease that somebody holds is for. */
export function leaseMode(state: Seen): string | undefined {
  return courseOf(state)?.lease?.mode;
}

export function agentCell(state: Seen): string | undefined {
  const course = courseOf(state);
  return course === undefined ? undefined : agentCellOf(course);
}

/** Cells that are preparing something. */
export function preparing(state: Seen): readonly string[] {
  const cells = Object.entries(courseOf(state)?.cells ?? {});
  return cells.filter(([, { purpose }]) => purpose === 'prepare').map(([id]) => id);
}

/** The cells of the checks at hand, in the plan's order. */
export function checkCells(state: Seen): readonly string[] {
  return courseOf(state)?.attempt?.checks.map(({ cell }) => cell) ?? [];
}

/** Effects that were begun, and of which nobody knows yet what became of them. */
export function unseenEffects(state: Seen): readonly string[] {
  const effects = Object.entries(courseOf(state)?.effects ?? {});
  return effects.filter(([, { outcome }]) => outcome === null || outcome === 'unknown_outcome').map(([id]) => id);
}

export function attemptNo(state: Seen): number {
  return courseOf(state)?.attempt?.no ?? 0;
}

export function attemptStatus(state: Seen): string | undefined {
  return courseOf(state)?.attempt?.status;
}

export function isAttemptOver(state: Seen): boolean {
  const status = attemptStatus(state);
  return status === 'failed' || status === 'cancelled' || status === 'superseded';
}

export function revisionOf(state: Seen): number {
  return state?.course?.revision ?? 0;
}

export function isSigned(state: Seen): boolean {
  return state?.course?.signed === true;
}

export function proposalOf(state: Seen): string | undefined {
  return state?.course?.proposal;
}

export function workOf(state: Seen): string | undefined {
  return courseOf(state)?.attempt?.work?.commit;
}

/** What people are asked, and who of them could still answer. */
export function questionOf(state: Seen): { readonly digest: string; readonly from: readonly string[] } | undefined {
  const asked = state === undefined ? undefined : askedOf(state);
  return asked === undefined ? undefined : { digest: asked.approval.digest, from: asked.from };
}

export function digestOf(state: Seen, approval: string): string | undefined {
  return state?.course?.approvals[approval]?.digest;
}

/** Until when votes that are carried on may count at most. */
export function expiryOf(state: Seen, approval: string): string | undefined {
  return state?.course?.approvals[approval]?.expires_at;
}

/** Whose votes stand on anything. */
export function voters(state: Seen): readonly string[] {
  return Object.values(state?.course?.approvals ?? {}).flatMap(({ votes }) => votes.map(({ principal }) => principal));
}

/** Who says no to what people are asked. */
export function rejecting(state: Seen): readonly string[] {
  return (state === undefined ? undefined : askedOf(state))?.rejecting ?? [];
}

/** The votes for it, as whoever grants it names them. */
export function votesFor(state: Seen, approval: string): readonly string[] | undefined {
  return state?.course?.approvals[approval]?.votes.filter(({ choice }) => choice === 'approve').map(({ id }) => id);
}

/** Everything that a receipt could be about, and what it could be mistaken for. */
export function subjectsOf(state: Seen): readonly string[] {
  const { effects = {}, runs = {}, approvals = {}, requests = {}, owed = {}, attempt = null } = courseOf(state) ?? {};
  const planned = attempt?.planned?.effects.flatMap(({ intent, request }) => [intent ?? request, request]) ?? [];
  return [...[effects, runs, approvals, requests, owed].flatMap((one) => Object.keys(one)), ...planned];
}
