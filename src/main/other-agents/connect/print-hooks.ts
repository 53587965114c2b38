import { join } from 'node:path'
import { typedCommand } from './run-program.ts'

type Printed = 'codex' | 'gemini'
type Given = { node: string; script: string; home: string }

const TITLES: Record<Printed, { title: string; place: string; timeout: number }> = {
  codex: { title: 'Codex', place: '~/.codex/hooks.json', timeout: 10 },
  // Its time limit is in milliseconds.
  gemini: { title: 'Gemini CLI', place: '~/.gemini/settings.json', timeout: 10_000 },
}

/** Return whether a program is not connected automatically, but only gets lines to copy. */
export const isPrintedOnly = (program: string): program is Printed => Object.hasOwn(TITLES, program)

/**
 * Return the lines that start our script in an untested program, according to its documentation. They only
 * cover the start of a session, where the script gives the memory that Claude Code is allowed to have.
 */
export function hookLines(
  program: Printed,
  { node, script, home }: Given,
): { place: string; text: string; notes: string[] } {
  const { title, place, timeout } = TITLES[program]
  const snapshot = join(home, 'connect/claude-code/snapshot.json')
  const command = typedCommand([node, script, snapshot])
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command, timeout }] }] }
  return {
    place,
    text: JSON.stringify({ hooks }, null, 2),
    notes: [
      `These lines follow the documentation of ${title}. They were never tried with ${title} itself.`,
      `They put before its model what you let Claude Code have: connect that first (talaria connect claude-code). Nothing is learned from sessions of ${title}.`,
      ...(program === 'codex' ? ['Codex asks you to trust each hook before it runs.'] : []),
      `For its tools: talaria mcp serve --print ${program}`,
    ],
  }
}
