import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../../testing/db/a-store.ts'
import { runEval } from '../../testing/evals/run-eval.ts'
import { usualConversations } from './conversations.ts'
import { describeOne } from './describe.ts'

const chat =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}<minimax:tool_call>\n<invoke name="{{ c.function.name }}">\n{% for k, v in c.function.arguments.items() %}<parameter name="{{ k }}">{{ v if v is string else v | tojson }}</parameter>\n{% endfor %}</invoke>\n</minimax:tool_call>{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}'

test('a row tells what a chat makes of a template, with the prompts of the conversations', () => {
  const row = describeOne('own.jinja', chat, usualConversations)
  expect(row).toMatchObject({
    used: 'own',
    dialect: 'minimax-m2',
    from: 'template',
    toolRole: true,
    appendOnly: true,
  })
  expect(row.ends).toContain('<|im_end|>')
  expect(Object.keys(row.prompts)).toEqual(usualConversations.map(({ name }) => name))
  const called = row.prompts['call'] ?? ''
  expect(called).toContain('<invoke name="get_weather">\n<parameter name="city">Bern</parameter>\n</invoke>')
  expect(called).toMatch(/<\|im_start\|>tool\n\{"sky": "sunny"\}<\|im_end\|>\n<\|im_start\|>assistant\n$/)
})

test('a template that cannot be used says why, and the prompts are in ChatML', () => {
  const row = describeOne('broken.jinja', '{% for', usualConversations.slice(0, 1))
  expect(row).toMatchObject({ used: 'chatml', why: expect.stringContaining('cannot be used') })
  expect(row.prompts['question']).toContain('<|im_start|>user')
})

test.for<[what: string, conversations: string | undefined, args: string[], says: RegExp]>([
  ['a folder that is not there', undefined, ['missing'], /missing cannot be read: ENOENT/],
  ['an empty folder', undefined, ['.'], /has no chat templates/],
  ['no folder', undefined, [], /Usage: /],
  [
    'conversations that are none',
    '[{"name": "a"}]',
    ['.', '--conversations', 'talks.json'],
    /has no conversations: 0\.messages/,
  ],
])('eval:templates names %s and prints no figure', async ([, conversations, args, says]) => {
  using folder = aFolder()
  if (conversations !== undefined) writeFileSync(join(folder.path, 'talks.json'), conversations)
  const { code, out, said } = await runEval('templates', args, folder.path)
  expect(said).toMatch(says)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test('eval:templates prints a row for each file, and the figures last', async () => {
  using folder = aFolder()
  writeFileSync(join(folder.path, 'own.jinja'), chat)
  writeFileSync(join(folder.path, 'broken.jinja'), '{% for')
  writeFileSync(
    join(folder.path, 'talks.json'),
    JSON.stringify([{ name: 'hello', messages: [{ role: 'user', text: 'Hello there' }] }]),
  )
  const { code, out } = await runEval('templates', ['.', '--conversations', 'talks.json'], folder.path)
  const [broken, own, figures] = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
  expect(broken).toMatchObject({ file: 'broken.jinja', used: 'chatml' })
  expect(own).toMatchObject({ file: 'own.jinja', prompts: { hello: expect.stringContaining('Hello there') } })
  expect(figures).toMatchObject({ eval: 'templates', figures: { templates: 2, own: 1 } })
  expect(code).toBe(0)
})
