import type { HostClient } from '../../src/shared/contract/index.ts'
import { writeSettings } from './a-home.ts'
import type { Case } from './case.ts'
import { known, reviewsOf, say } from './person.ts'
import type { Script } from './scripted-model.ts'

/** Create a chat in which nobody can be asked: calls that read run, and calls that would ask are denied. */
export const newChat = (client: HostClient) => client['session.create']({ approval: 'none' })

const remembers = (content: string) => ({
  name: 'memory',
  arguments: { target: 'user', action: 'add', content },
})

/** Whether a case needs anything that must first be made in chats. */
const isPrepared = ({ given: { you, agent, skills, rules, rejected } }: Case): boolean =>
  [you, agent, skills, rules, rejected].some(each => each.length > 0)

type Settings = Parameters<typeof writeSettings>[1]

/** The settings of a case, as in `config.yaml` under `learning`. */
const settingsOf = ({ mode, settings }: Case): Settings => ({ mode, ...settings })

/**
 * Write the configuration that the host of a case starts with. Things that must exist first are made with the
 * normal settings, and the settings of the case come after that.
 */
export function configureHome(home: string, given: Case, learning: Settings = {}): void {
  writeSettings(home, { ...learning, ...(!isPrepared(given) && settingsOf(given)) })
}

/** Make everything that the case needs, in the ways of the product, and then apply its settings. */
export async function prepareCase(client: HostClient, given: Case, script: Script): Promise<void> {
  if (!isPrepared(given)) return
  await makeGiven(client, given, script)
  for (const [name, value] of Object.entries(settingsOf(given)))
    await client['settings.set']({ path: `learning.${name}`, value })
}

async function makeGiven(client: HostClient, { given }: Case, script: Script): Promise<void> {
  for (const text of given.you) await client['memory.add']({ target: 'user', text })
  for (const text of given.rules) await client['learning.addRule']({ text })
  for (const { name, text, by } of given.skills) {
    if (by === 'you') await client['skills.create']({ name, text })
    else
      await letAgent(client, script, {
        name: 'skill_manage',
        arguments: { action: 'create', name, content: text },
      })
  }
  for (const text of given.agent) await letAgent(client, script, remembers(text))
  for (const text of given.rejected) {
    script.review({ first: { worth: true, facts: [text] }, review: [[remembers(text)]] })
    const { id } = await newChat(client)
    script.chat({ user: text, reply: 'All right.', calls: [] })
    await say(client, id, text)
    await client['learning.review']({ sessionId: id })
    await reviewsOf(client, id)
    const { proposals } = await client['learning.ofChat']({ sessionId: id })
    await client['learning.reject']({ ids: proposals.map(each => each.id), notAgain: true })
  }
  const all = await known(client)
  const wanted = [...given.you, ...given.agent, ...given.skills.map(({ name }) => `name: ${name}`)]
  const missing = wanted.find(text => !all.some(each => each.includes(text)))
  if (missing !== undefined) throw new Error(`What the case takes for granted is not there: “${missing}”.`)
}

/** Let the agent of a chat do something. Only in the mode Full does it write skills without asking. */
async function letAgent(
  client: HostClient,
  script: Script,
  call: { name: string; arguments: Record<string, unknown> },
): Promise<void> {
  const { id } = await client['session.create']({ approval: 'full' })
  script.chat({ user: '', reply: 'Done.', calls: [{ ...call, ok: true, text: '' }] })
  await say(client, id, 'Keep this in mind.')
}
