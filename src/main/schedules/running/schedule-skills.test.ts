import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome } from '../../../../testing/host/a-host.ts'
import { aDaily, aScheduledHost, EIGHT, lastOf } from '../../../../testing/schedules/a-scheduled-host.ts'

const DAY = 86_400_000

/** A skill of the user, with more lines in its front matter. */
function putSkill(home: string, name: string, front = '') {
  const file = join(home, 'skills', name, 'SKILL.md')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `---\nname: ${name}\ndescription: Does ${name}.\n${front}---\n\nSteps of ${name}.\n`)
}

const NEEDS_TERMINAL = 'metadata:\n  requires_toolsets: terminal\n'

test('a schedule attaches only what a chat in its folder could, and says in words why not', async () => {
  using home = aHome()
  putSkill(home.path, 'needy', NEEDS_TERMINAL)
  putSkill(home.path, 'plain')
  await using host = await aScheduledHost(home.path)
  const { client } = host
  const { skills } = await client['skills.forChat']({})
  const idOf = (name: string) => skills.find(each => each.name === name)!.id
  const folder = join(home.path, 'workspace')
  const { server, id } = await aDaily(host, { skills: [idOf('needy'), idOf('plain')], folder })
  await using _server = server
  let day = 0
  const outcome = async () => {
    server.reply({ text: 'Nothing new.' })
    await host.at(EIGHT + day++ * DAY, id)
    const { state, reason, text } = await lastOf(host, id)
    return [state, reason, text]
  }
  expect(await outcome()).toEqual(['done', 'no_tools', expect.any(String)])
  expect(JSON.stringify(server.chats().at(-1)?.body.messages)).toContain('Steps of needy.')

  await client['toolset.switch']({ names: ['terminal'], on: false, folder })
  expect(await outcome()).toEqual([
    'skipped',
    'skill_missing',
    'The skill “needy” cannot be used here. It needs tools that are off in the folder of the schedule: terminal.',
  ])
  await client['toolset.switch']({ names: ['terminal'], on: null, folder })
  const project = await client['project.create']({ name: 'Thesis', folder, skills: ['plain'] })
  expect(await outcome()).toEqual([
    'skipped',
    'skill_missing',
    'The skill “needy” cannot be used here. It is not one of the skills of the project of its folder.',
  ])
  await client['project.update']({ id: project.id, skills: ['plain', 'needy'] })
  expect(await outcome()).toEqual(['done', 'no_tools', expect.any(String)])
  await client['skills.setEnabled']({ ids: [idOf('plain')], enabled: false })
  expect(await outcome()).toEqual([
    'skipped',
    'skill_missing',
    'The skill “plain” is switched off. Switch it on first, on the Skills page.',
  ])
})
