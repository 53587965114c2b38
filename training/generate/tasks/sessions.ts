import type { DeskChat } from '../desk/desk.ts'
import type { Talk } from '../talk.ts'
import { wordings } from '../wording.ts'
import type { Task } from './task.ts'

export const searchWordings = wordings(`
  (what did|what have) (we|i) (say|said|talk about|discuss|discussed|decide|decided|write|written) about (the |){topic}( last week| last time| yesterday| before|)?
  (do you remember|can you recall|do you recall) (what we said about|our chat about|when we talked about|the conversation about) (the |){topic}?
  ! (search|look in|look through|go through) (our |my |the |)(earlier |old |past |previous |last |)(chats|conversations) for (the |){topic}
  ! (find|look for|search for) (the |our |my |)(chat|conversation|discussion) (about|on) (the |){topic}
  (when|where) did (we|i) (talk|speak|chat) about (the |){topic}?
  (did|have) (we|i) (ever |)(talk|talked|mention|mentioned|discuss|discussed|speak) (about |)(the |){topic}( before|)?
  (what was|what did you say) (that thing |it |the thing |)about (the |){topic} (again|last time|last week|the other day)?
  (last time|last week|yesterday|the other day|some time ago|earlier) we talked about (the |){topic}, (what was it|what did i say|what did we decide|remind me)?
  (i told you|i said|we said|i mentioned) something about (the |){topic} (last week|before|in another chat|some time ago), (what was it|find it|look it up)?
  ! (look up|check) what (i|we) said about (the |){topic} (before|earlier|last time|in earlier chats)
  (in|from) (an earlier|an old|another|a previous|the last) chat (i|we) (mentioned|talked about) (the |){topic}, (find it|look it up|what was it)?
  ! (search|find) {topic} in (my |our |the |)(history|chat history|old chats|earlier chats|past conversations)
  (what do|what) (my|our) (earlier|old|past) chats say about (the |){topic}?
  ! (pull up|bring back|get) what we (said|discussed|decided) about (the |){topic}
  ---
  ! (dig up|retrieve) (our|the) (talk|exchange) (about|on) (the |){topic}
  (which|what) conversation was about (the |){topic}?
  (back then|weeks ago) i (raised|brought up) (the |){topic}, (what came of it|how did that go)?
  (has|was) (the |){topic} (ever come up|ever mentioned)( between us| in our talks|)?
  ! (scan|comb through) the (chat archive|old conversations) for (the |){topic}
  (what were|recall) my words (about|on) (the |){topic} (back then|that day)?`)

export const listWordings = wordings(`
  ! (list|show|show me) (my|our|the) (recent|latest|last|earlier|old|previous) (chats|conversations)
  (what|which) (chats|conversations) (did we have|have we had|are there|were there)( lately| before| recently|)?
  what did we (talk|chat) about (lately|recently|last week|in the last days)?
  (what have we|what did we) (been up to|do) (lately|recently)?
  (which|what) were (my|our) (last|latest) (chats|conversations)?
  ! (list|show) (my|our) (chats|conversations|chat history)
  ---
  ! (name|enumerate) our (past|former) (talks|conversations)
  (an overview of|the titles of) (my|our) (older|recent) chats
  our history of chats, please`)

/** A chat about something, with one message that tells it. */
function chat(talk: Talk, topic: string): { chat: DeskChat; said: string } {
  const { random, slot, desk } = talk
  const first = desk.chats.reduce(
    (most, each) => Math.max(most, each.messages.at(-1)!.id),
    random.between(1, 400),
  )
  const sayings = [
    `the ${topic} is on ${slot('weekday')}`,
    `${slot('person')} ${slot('verb')} the ${topic}`,
    `we decided to move the ${topic} to ${slot('city')}`,
    `the ${topic} costs ${slot('number')} euros`,
    `I want the ${topic} in ${slot('colour')}`,
    `the ${topic} should be ready by ${slot('date')}`,
    `we need ${slot('food')} for the ${topic}`,
    `the ${topic} is called ${slot('coined')}`,
    `let us keep the ${topic} ${slot('adjective')}`,
    `${slot('person')} wants to see the ${topic} first`,
  ]
  const said = random.pick(sayings)
  const messages: DeskChat['messages'] = []
  const add = (role: 'user' | 'assistant', text: string) =>
    messages.push({ id: first + messages.length + 1, role, text })
  if (random.chance(0.4)) {
    add('user', random.pick(['hello', 'good morning', 'hi there']))
    add('assistant', 'Hello! What can I do for you?')
  }
  add('user', said)
  add(
    'assistant',
    random.pick(['Noted.', 'Good.', 'I see. Tell me when I can do something for you.', 'All right.']),
  )
  const at = new Date(2026, random.below(11), random.between(1, 28), 12).getTime()
  const title = random.pick([
    `The ${topic}`,
    topic.charAt(0).toUpperCase() + topic.slice(1),
    `About the ${topic}`,
    said.slice(0, 40),
  ])
  const id = `chat_${hex(talk)}`
  return { chat: { id, title, at, messages }, said }
}

const hex = ({ random }: Talk): string =>
  Array.from({ length: 6 }, () => '0123456789abcdef'[random.below(16)]).join('')

export const sessions: readonly Task[] = [
  {
    id: 'session-search',
    weight: 9,
    async run(talk) {
      const { random, desk, slot } = talk
      desk.chats = []
      const topic = slot(
        random.pick(['noun', 'noun', 'phrase', 'coined', 'appointment', 'thing', 'hobby']),
      ).toLowerCase()
      const isThere = random.chance(0.78)
      if (random.chance(0.4)) {
        const other = slot('noun')
        if (!topic.includes(other) && !other.includes(topic)) desk.chats.push(chat(talk, other).chat)
      }
      if (isThere) desk.chats.push(chat(talk, topic).chat)
      talk.ask(talk.word(searchWordings, { topic }))
      const result = await talk.call('session_search', { query: topic })
      talk.focus = {}
      const found = /^→ (?:user|assistant) \(\d+\): (.*)$/m.exec(result)?.[1]
      const day = /^## .*, (\d{4}-\d\d-\d\d) \(session_id/m.exec(result)?.[1]
      if (found === undefined || day === undefined) {
        talk.answer(`I found nothing about ${topic} in earlier chats.`, { kind: 'fact', facts: ['nothing'] })
        return
      }
      talk.answer(`On ${day} you said: ${found}`, { kind: 'fact', facts: [found, day] })
    },
  },
  {
    id: 'session-list',
    weight: 1.2,
    async run(talk) {
      const { random, desk, slot } = talk
      desk.chats = []
      for (let count = random.below(4); count > 0; count--) desk.chats.push(chat(talk, slot('noun')).chat)
      talk.ask(talk.word(listWordings))
      const result = await talk.call('session_search', {})
      talk.focus = {}
      const titles = result
        .split('\n')
        .flatMap(each => /^- (\d{4}-\d\d-\d\d) (.*) \(session_id/.exec(each)?.slice(1, 3).join(' ') ?? [])
      if (titles.length === 0)
        talk.answer('There are no earlier chats.', { kind: 'fact', facts: ['no earlier chats'] })
      else
        talk.answer(`Your latest chats:\n${titles.map(title => `- ${title}`).join('\n')}`, {
          kind: 'fact',
          facts: titles,
        })
    },
  },
]
