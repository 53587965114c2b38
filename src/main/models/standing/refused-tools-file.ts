import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { ToolSpec } from '../interface/engine.ts'
import { LONGEST_TEXT, openKeptList } from './kept-list.ts'

const text = z.string().max(LONGEST_TEXT)
const Kept = z.object({
  /** The model, with the address of its server. */
  model: text,
  tool: text,
  /** The hash of the tool as it was sent. A changed tool is tried again. */
  sent: text,
  /** The server's reason, ready for the end of a sentence. */
  said: text,
  isNamed: z.boolean(),
  /** The time until which the tool is not tried again. */
  until: z.number(),
  /** Whether the user was told. */
  told: z.boolean(),
})

/** A tool that the server of a model refused. */
export type KeptRefusal = z.infer<typeof Kept>

/** The tools that servers refuse, by model. */
export type KeptRefusals = {
  /** Return those of `tools`, in their current form, that are known to be refused for a model. */
  among(model: string, tools: readonly ToolSpec[]): readonly KeptRefusal[]
  /** Save that a server refuses these tools. */
  keep(
    model: string,
    refused: readonly { tool: ToolSpec; said: string; isNamed: boolean }[],
  ): readonly KeptRefusal[]
  /** Save that the user was told about these refusals. */
  markTold(refused: readonly KeptRefusal[]): void
}

const KEPT = 500
const DAY_MS = 86_400_000
/** How long to remember refusals: servers change. Shorter for unnamed tools, which may not be the cause. */
const NAMED_MS = 30 * DAY_MS
const UNNAMED_MS = DAY_MS

/** Open the refused tools that are saved in a home folder. */
export function openRefusals(
  home: string,
  { now, report }: { now: () => number; report(error: unknown): void },
): KeptRefusals {
  const path = join(home, 'cache', 'refused-tools.json')
  const list = openKeptList({ path, name: 'refused', item: Kept, most: KEPT, report })
  const isSame = (one: KeptRefusal, other: KeptRefusal) =>
    one.model === other.model && one.tool === other.tool
  const put = (entries: readonly KeptRefusal[]) =>
    list.replace([
      ...entries,
      ...list.current().filter(each => !entries.some(entry => isSame(entry, each)) && each.until > now()),
    ])
  return {
    among(model, tools) {
      const known = list.current().filter(each => each.model === model && each.until > now())
      return known.length === 0
        ? []
        : known.filter(each => tools.some(tool => tool.name === each.tool && hashOfTool(tool) === each.sent))
    },
    keep(model, refused) {
      const entries = refused.map(({ tool, said, isNamed }) => ({
        model,
        tool: tool.name,
        sent: hashOfTool(tool),
        said,
        isNamed,
        until: now() + (isNamed ? NAMED_MS : UNNAMED_MS),
        told: false,
      }))
      if (entries.every(each => each.model.length + each.tool.length < LONGEST_TEXT)) put(entries)
      return entries
    },
    markTold: refused => put(refused.map(each => ({ ...each, told: true }))),
  }
}

const hashOfTool = (tool: ToolSpec): string => createHash('sha256').update(JSON.stringify(tool)).digest('hex')
