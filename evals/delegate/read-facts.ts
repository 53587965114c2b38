import type { Delegated } from '../../src/shared/contract/runs/delegation.ts'
import type { Facts } from './case.ts'

const MARK = 'What Talaria knows of it, whatever it says:'

/** The facts of a result. A fact that it does not name is undefined, and no label is. */
export type Named = { [Fact in keyof Facts]-?: Facts[Fact] | undefined }

/**
 * The facts in a result, where its reader finds them: after the host's last line. Denied or failed calls only
 * have a line if there are any. Without that line there are none, if the first and the last line of all facts
 * are there.
 */
export function readFacts(
  text: string | undefined,
  ok: boolean | undefined,
  agent: Pick<Delegated, 'end'> | undefined,
): Named {
  const at = text?.lastIndexOf(MARK) ?? -1
  const lines = at < 0 ? [] : text!.slice(at).split('\n')
  const line = (name: string) => lines.find(each => each.startsWith(`- ${name}: `))?.slice(name.length + 4)
  const list = (name: string) => {
    const said = line(name)
    return said === 'none' ? [] : said?.split('; ')
  }
  const isWhole = line('ended') !== undefined && line('used') !== undefined
  const form = line('form of its answer')
  const failed = line('calls that failed')
  const steps = /^(\d+) steps/.exec(line('used') ?? '')?.[1]
  return {
    ok,
    end: agent?.end ?? undefined,
    files: list('files changed with its tools'),
    commands: list('commands')?.map((each): [string, string] => {
      const [, command = '', end = ''] = /^“(.*)” → (.*)$/.exec(each) ?? []
      return [command, end]
    }),
    denied: list('not allowed') ?? (isWhole ? [] : undefined),
    failed: failed === undefined ? (isWhole ? 0 : undefined) : Number(failed),
    steps: steps === undefined ? undefined : Number(steps),
    form: form === undefined ? undefined : form === 'as asked for',
    error: /\((.*)\)$/.exec(line('ended') ?? '')?.[1],
    summary: at < 0 ? undefined : text!.slice(text!.indexOf('\n') + 1, at).trim(),
  }
}

/** The facts that a result names wrongly, as `name: this instead of that`. */
export function wrongFacts(wanted: Facts, named: Named): string[] {
  return Object.entries(wanted).flatMap(([name, fact]) => {
    const [is, should] = [named[name as keyof Facts], fact].map(each => JSON.stringify(each) ?? 'nothing')
    return is === should ? [] : [`${name}: ${is} instead of ${should}`]
  })
}
