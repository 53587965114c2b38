import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { examineComputer, surroundingsHere, type Check } from '../doctor/examine-computer.ts'
import { rootFolder } from '../lib/places.ts'
import { stripControls } from './terminal-text.ts'

const SIGNS: Record<Check['state'], string> = { good: 'ok', note: 'note', bad: 'BAD' }
const COLOURS = { good: 'green', note: 'yellow', bad: 'red' } as const

/** Examine this computer and print the findings. Resolves to whether Talaria can work here. */
export async function doctorComputer({ home, json }: { home?: string; json?: boolean }): Promise<boolean> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  const checks: Check[] = []
  try {
    for await (const check of examineComputer(home, surroundingsHere(hasElectron()), stopping.signal)) {
      checks.push(check)
      if (!json) process.stdout.write(showCheck(check))
    }
  } finally {
    process.off('SIGINT', stop)
  }
  const ok = checks.every(check => check.state !== 'bad') && !stopping.signal.aborted
  if (json) process.stdout.write(`${JSON.stringify({ ok, checks })}\n`)
  else
    process.stdout.write(
      ok ? '\nTalaria works on this computer.\n' : '\nSomething keeps Talaria from working.\n',
    )
  return ok
}

function showCheck({ name, state, text, fix }: Check): string {
  const sign = styleText(COLOURS[state], SIGNS[state].padEnd(5), { stream: process.stdout })
  const more = fix === '' ? '' : `\n${' '.repeat(20)}${fix}`
  return name.padEnd(15) + sign + stripControls(`${text}${more}\n`)
}

/** Check for the folder, because importing the package would download the binary. */
const hasElectron = (): boolean => existsSync(join(rootFolder(), 'node_modules/electron/dist'))
