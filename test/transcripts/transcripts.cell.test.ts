// The pages whose commands run agents in cells.
import { describe, it } from 'vitest';
import { transcriptPages } from '../support/pages.ts';
import { runTranscript } from '../support/transcript.ts';

describe('what the documentation shows is what happens', () => {
  // The runbook has a budget of a minute used up.
  it.each(transcriptPages('cell'))('%s', { timeout: 600_000 }, (page) => runTranscript(page));
});
