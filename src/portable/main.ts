// The script that checks a proof bundle alone: a classic script with everything in it, for plain Node in an empty folder
// and, inlined in a page, for a browser with no network. Finds out where it runs and does nothing else.
import './jitless.ts';
import { runInNode } from './node.ts';
import { startPage } from './page.ts';

if (typeof document === 'undefined') runInNode();
else startPage(document);
