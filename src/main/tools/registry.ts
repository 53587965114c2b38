import { z } from 'zod'
import type { ToolSpec } from '../llm/engine.ts'
import type { Tool } from './tool.ts'

/** The tools that exist, by name. */
export type Registry = {
  readonly names: readonly string[]
  /** As a model sees them; all of them, or those named. */
  specs(names?: readonly string[]): ToolSpec[]
  get(name: string): Tool | undefined
  /** The tool that a misspelt name means, if one is near enough. */
  repairName(name: string): string | undefined
  validate(name: string, args: Record<string, unknown>): { ok: true; value: Record<string, unknown> } | { ok: false; reason: string }
}

export function createRegistry(tools: readonly Tool[]): Registry {
  const byName = new Map(tools.map(each => [each.name, each]))
  const names = [...byName.keys()]
  return {
    names,
    specs: (wanted = names) =>
      wanted.flatMap(name => {
        const found = byName.get(name)
        if (!found) return []
        const { $schema: _schema, additionalProperties: _more, ...parameters } = z.toJSONSchema(found.input, { io: 'input' })
        return [{ name, description: found.says, parameters }]
      }),
    get: name => byName.get(name),
    repairName: name => names.find(each => each.replace(/[^a-z]/gi, '') === name.toLowerCase().replace(/[^a-z]/gi, '')),
    validate(name, args) {
      const checked = byName.get(name)!.input.safeParse(args)
      if (checked.success) return { ok: true, value: checked.data }
      return { ok: false, reason: checked.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ') }
    },
  }
}
