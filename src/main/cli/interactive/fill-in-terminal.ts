import type { HostClient } from '../../../shared/contract/index.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import type { Template } from '../../../shared/contract/chats/templates.ts'
import { fillTemplate, knownValues, withInput } from '../../../shared/text/fill-template.ts'
import { Fault } from '../../../shared/rpc.ts'
import { stripControls } from '../output/terminal-text.ts'

/**
 * Find the template that a line names, and the text after the name; undefined if it names none. Throws a
 * Fault for a broken one.
 */
export async function templateIn(
  client: HostClient,
  typed: string,
): Promise<{ template: Template; input: string } | undefined> {
  const [, name, input = ''] = /^\/([\w-]{1,32})(?:\s+([^]*))?$/.exec(typed) ?? []
  if (name === undefined) return undefined
  const { templates } = await client['template.list']({})
  const template = templates.find(each => each.name === name.toLowerCase())
  if (!template) return undefined
  if (template.problem !== null)
    throw new Fault(
      'bad_input',
      `The template “${template.name}” cannot be used: its file ${stripControls(template.problem)}.`,
    )
  return { template, input: input.trim() }
}

/**
 * Fill in a template. `ask` asks for unknown values; if the user gives up, it resolves to undefined, and so
 * does this. Without `ask`, a Fault names the missing values.
 */
export async function fillIn(
  client: HostClient,
  { workspace, projectId }: Pick<Session, 'workspace' | 'projectId'>,
  { template, input }: { template: Template; input: string },
  ask?: (question: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const { projects } = projectId === null ? { projects: [] } : await client['project.list']({})
  const project = projects.find(({ id }) => id === projectId)?.name ?? ''
  const values = knownValues({ now: new Date(), folder: workspace, project, input })
  const missing = template.variables.filter(({ name }) => !Object.hasOwn(values, name))
  const needed = missing.filter(({ preset }) => preset === '').map(({ name }) => name)
  if (!ask && needed.length > 0)
    throw new Fault(
      'bad_input',
      `The template “${template.name}” needs ${needed.join(', ')}, and there is no terminal to ask for them.`,
    )
  // A user who types text after the name accepts the presets of the template.
  const asked = input === '' ? missing : missing.filter(({ preset }) => preset === '')
  for (const { name, preset } of ask ? asked : []) {
    const what = name === 'input' ? 'text' : name
    const said = await ask!(preset === '' ? `${what}: ` : `${what} (Enter alone: ${preset}): `)
    if (said === undefined || (said === '' && preset === '')) return undefined
    values[name] = said || preset
  }
  return withInput(fillTemplate(template.text, values), template.variables, input)
}
