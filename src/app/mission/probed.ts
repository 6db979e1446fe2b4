// What a cell on this machine is going to be, by having made one; what the plan says of it is another thing.
import { Failure } from '../../failure.ts';
import type { Plan } from '../../kernel/course/plan.ts';
import type { Probed } from '../../kernel/decide/work.ts';
import type { CellHolds, Cells } from '../../ports/cells.ts';

export async function probed(cells: Cells, cellId: string): Promise<Probed & { readonly limits: CellHolds }> {
  const probe = await cells.probe(cellId);
  if (probe.is === 'unfit') throw new Failure(probe.code, { backend: probe.backend, why: probe.why });
  const { level, limits, uid } = probe;
  // Without any isolation it is a process still; that it is no more than that is what its level says.
  return { backend: 'process', level, limits, uid };
}

export async function assertFit(cells: Cells, plan: Plan): Promise<void> {
  const { backend, level } = await probed(cells, '');
  if (backend !== plan.backend) throw new Failure('backend_unmet', { backend, asked: plan.backend });
  if (level < plan.level) throw new Failure('level_unmet', { level, asked: plan.level, backend });
}
