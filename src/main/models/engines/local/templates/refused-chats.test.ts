import { afterEach, expect, test } from 'vitest'
import { scriptedModel } from '../../../../../../testing/gguf/cached.ts'
import { scriptedEngineChild } from '../../../../../../testing/golden/scripted-engine-child.ts'
import { openEngines, reply, system, user } from '../../../../../../testing/models/local.ts'
import type { Prompt } from '../../../interface/engine.ts'
import { readTemplate } from './chat-template.ts'

const words = { bos: '<s>', eos: '</s>' }
const chatml = (check: string) =>
  `{% for m in messages %}${check}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}{{ '<|im_start|>assistant\\n' }}`
/** Accepts at most six messages. */
const short = chatml("{% if loop.index > 6 %}{{ raise_exception('Too many.') }}{% endif %}")
/** Rejects two replies in a row. */
const strict = chatml(
  "{% if m.role == 'assistant' and messages[loop.index0 - 1].role == 'assistant' %}{{ raise_exception('One by one.') }}{% endif %}",
)

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

test('a template that refuses some chats is known before it meets one', () => {
  expect(readTemplate(strict, words)).toMatchObject({
    problem: undefined,
    refuses: { as: 'fewer_roles', why: 'One by one.' },
  })
  const never = chatml(
    "{% if loop.index == 2 and m.role == 'assistant' %}{{ raise_exception('No.') }}{% endif %}",
  )
  expect(readTemplate(never, words).refuses).toEqual({ as: 'general', why: 'No.' })
  expect(readTemplate(chatml(''), words).refuses).toBeUndefined()
})

test('a template that loops over some chats only is tried out within its time', () => {
  const slow = chatml(
    "{% if loop.index == 2 and m.role == 'assistant' %}{% for i in range(90000) %}{% for j in range(90000) %}{% endfor %}{% endfor %}{% endif %}",
  )
  const { refuses, problem } = readTemplate(slow, words, 300)
  expect([problem, refuses?.as]).toEqual([undefined, 'general'])
})

test('a chat that the template refuses says so once, goes on, and another chat says it again', async () => {
  const { engines, ask, reports } = openEngines('inline')
  closers.push(() => engines.close())
  const path = scriptedModel({ reply: 'Hello!', template: short })
  const notices = async (session: string, length: number) => {
    const hello = reply({ text: 'Hello!', events: [], stop: 'end', usage: undefined, failure: undefined })
    const talk = Array.from({ length }, (_, at) => (at % 2 === 0 ? user(`hi ${at}`) : hello))
    const { events, text, failure } = await ask(path, [system('Be kind.'), ...talk], {
      session,
      maxTokens: 20,
    })
    expect([failure, text]).toEqual([undefined, expect.stringMatching(/./)])
    return events.flatMap(event => (event.type === 'notice' ? [event.text] : []))
  }
  const said =
    'The chat template of this model rejects this chat (Too many). The chat is rendered in a general form that the model may not know, so its answers can be worse.'
  expect(await notices('a', 3)).toEqual([])
  expect(await notices('a', 7)).toEqual([said])
  expect(await notices('a', 9)).toEqual([])
  expect(await notices('b', 7)).toEqual([said])
  expect(reports).toEqual([])
})

test('thinking as it is set for a model goes with each question, without another load', async () => {
  const asked: Prompt[] = []
  const options: { thinking?: 'on' | 'off' } = {}
  const spawn = scriptedEngineChild(prompt => {
    asked.push(prompt)
    return 'Yes.'
  })
  const { engines, ask, states } = openEngines('process', { spawn, optionsFor: () => options })
  closers.push(() => engines.close())
  const path = scriptedModel({ reply: 'Hello!' })
  await ask(path, [user('hi')])
  options.thinking = 'off'
  await ask(path, [user('hi')])
  delete options.thinking
  await ask(path, [user('hi')])
  expect(asked.map(({ thinking }) => thinking)).toEqual([undefined, 'off', undefined])
  expect(states.filter(({ phase }) => phase === 'starting')).toHaveLength(1)
})
