import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of the conformance suite. */
export const conformance = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance');

export interface Check {
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  errorMessage?: string;
}

export interface Outcome {
  /** Of the process. */
  status: number;
  /** By scenario. */
  checks: Map<string, Check[]>;
}

/** Runs the conformance program against a server that listens at an origin. */
export async function runConformance(origin: string, given: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const command = [join(conformance, 'dist/index.js'), 'server', '--url', `${origin}/api/mcp`, '-o', folder];
    const status = await new Promise<number>((resolve) => {
      execFile(process.execPath, command.concat(given), (error) => resolve(error ? Number(error.code) : 0));
    });
    return { status, checks: new Map(readdirSync(folder).map((name) => [scenarioOf(name), readChecks(folder, name)])) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A folder is named by its scenario and when it was begun. */
const scenarioOf = (folder: string) => folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');

const readChecks = (folder: string, name: string): Check[] =>
  JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'));
