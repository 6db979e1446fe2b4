// The table of all rules, put together from the nouns: one for every event type, or this does not compile.
import { actionRules } from './action/evolve.ts';
import { approvalRules } from './approval/evolve.ts';
import { artifactRules } from './artifact/events.ts';
import { attemptRules } from './attempt/evolve.ts';
import { cellRules } from './cell/evolve.ts';
import { decisionRules } from './decision/evolve.ts';
import { effectRules } from './effect/evolve.ts';
import type { EventType } from './event.ts';
import { grantRules } from './grant/evolve.ts';
import { handoverRules } from './handover/evolve.ts';
import { ingressRules } from './ingress/evolve.ts';
import { leaseRules } from './lease/evolve.ts';
import { courseRules } from './mission/evolve-course.ts';
import { missionRules } from './mission/evolve.ts';
import { noteRules } from './note/events.ts';
import { projectRules } from './project/evolve.ts';
import { receiptRules } from './receipt/evolve.ts';
import type { Rules } from './rule.ts';
import { stepRules } from './step/events.ts';
import { taskRules } from './task/evolve.ts';
import { trustRules } from './trust/evolve.ts';

export const RULES: Rules<EventType> = {
  ...projectRules,
  ...missionRules,
  ...courseRules,
  ...ingressRules,
  ...taskRules,
  ...stepRules,
  ...attemptRules,
  ...actionRules,
  ...approvalRules,
  ...grantRules,
  ...leaseRules,
  ...cellRules,
  ...handoverRules,
  ...effectRules,
  ...decisionRules,
  ...receiptRules,
  ...noteRules,
  ...artifactRules,
  ...trustRules,
};
