import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isWithin } from '../../src/main/confinement/profile.ts'

/**
 * The misbehaving server in a place that confined programs see, with the Node that runs it: `/tmp` is another folder inside,
 * and a checkout may lie there. Returns the command and its first argument.
 */
export function aServerToConfine(folder: string): { command: string; program: string } {
  mkdirSync(folder, { recursive: true })
  const program = join(folder, 'server.mjs')
  const source = readFileSync(new URL('misbehaving-server.ts', import.meta.url), 'utf8')
  writeFileSync(program, stripTypeScriptTypes(source))
  if (!isWithin(tmpdir(), process.execPath)) return { command: process.execPath, program }
  const command = join(folder, 'node')
  cpSync(process.execPath, command)
  return { command, program }
}
