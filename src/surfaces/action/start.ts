// Where the built action begins.
import './interpreted.ts';
import { main } from './main.ts';

process.exitCode = await main(process.env);
