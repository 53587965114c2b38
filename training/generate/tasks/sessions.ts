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
  ! (find out|see|tell me) what (we|i) (said|decided|agreed|discussed|wrote) (about|on) (the |){topic} (last time|before|in earlier chats|in an old chat)
  ! (check|browse|skim|read through) (our |my |the )(old|earlier|past|previous) (chats|conversations) for (the |){topic}
  (i need|i want|i'd like|we need|gimme) (the chat|the conversation|our discussion|our old chat|what we said) (about|on) (the |){topic}
  (would love to|would like to|got to|need to|want to) (find|see|read again) (our|the|that) (chat|conversation|discussion) about (the |){topic}
  (can't|cannot) (find|remember) (the chat|the conversation|where we talked|when we talked|what we said) about (the |){topic}
  (mind searching|mind checking|care to check|how about searching) (our |the |)(earlier|old|past) chats for (the |){topic}?
  (chat|conversation|discussion|old chats|earlier chats|chat search|past chats)(: | about | on )(the |){topic}( please|)?
  (in which|which|what) (chat|discussion|session|earlier chat) (did we|did i|have we) (discuss|mention|talk about|speak of|have on) (the |){topic}?
  (there was|we had|i had with you) (a chat|a conversation|a discussion|some talk) about (the |){topic}(, find it|, where is it|, what did we say|. what was said)
  (what came out|what was the result|what was the outcome|how did we end) (of|in|with) our (chat|discussion|conversation) about (the |){topic}?
  (a while ago|some days ago|last month|on another day|two weeks ago) (we|i) (spoke|chatted|wrote|told you) about (the |){topic}(, what did i say?|, what was it?|. look it up|, find that)
  (weren't we|were we not|had we not been|didn't we|did we not) (talking|talk|speaking|speak) about (the |){topic} (last time|the other day|once|before)?
  what (exactly |)(did i tell you|did i say|had i said|did i write|did you tell me) (last time|the other day|in our last chat|in an earlier chat) about (the |){topic}?
  {topic}: (what did we say|what did we decide|what did we agree on|when did we talk about it|in which chat was that)( last time| before|)?
  (about|regarding|concerning|as for) (the |){topic}, (what did we decide|what did we say|what had we agreed|what was said) (last time|before|the other day|in the last chat)?
  (from|in) (our|the|my) (last|earlier|old|previous) (chats|conversations|sessions)(: |, | )(what about|anything about|everything about|something on) (the |){topic}?
  (did you|did i|did we) (not |)(say|tell|write|decide) something about (the |){topic} (in another chat|in an old chat|the other day|some time ago)?
  (i remember|i think|i am sure|i believe) we (talked about|discussed|spoke of|had a chat about) (the |){topic}(, find it|, where was that?|. search for it|, look it up)
  (history|chat history|conversation history) (for|of|on|about) (the |){topic}( please|)
  (the last time|when) we (talked|spoke|chatted) about (the |){topic}, what (did i say|was it|did we decide|did i want)?
  (any|is there any|is there an) (earlier|old|past|previous) (chat|conversation|discussion) (about|on|with) (the |){topic}?
  ! (have|take) a look (in|into|through) (our|the|my) (old|earlier|past|previous) (chats|conversations) for (the |){topic}
  (go back to|get back to|return to|take me back to) (our|the) (chat|conversation|discussion) about (the |){topic}
  (what have i|what have we|what had we) (already |once |)(said|discussed|agreed|decided|planned) (about|for|on) (the |){topic}( in earlier chats| in the past| so far|)?
  (the|our) (topic|subject) (of|was) {topic}, (which chat|what chat|in which conversation|when did we talk about that) was (it|that)?
  {topic} (was discussed|was mentioned|was talked about|came up) (in an earlier chat|last week|the other day|once)(, find it|, what was said|, look for it|)
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
  ! (give me|get me|print|run through|open|bring me) (the list of |)(my|our|all our|all my) (chats|conversations|past chats|earlier chats)
  (i need|i want|i'd like|gimme|we need) (a list of|to see) (my|our|the|all) (old|earlier|past|recent|last|previous) (chats|conversations|sessions)
  (would love to|would like to|got to|need to|want to) (see|know) (what we talked about lately|my recent chats|our earlier chats|my chat history|my old chats)
  (mind listing|mind showing me|care to list|how about listing) (our|my|the) (recent|earlier|last|old|past) (chats|conversations)?
  (recent|latest|last|earlier|old|previous|past) (chats|conversations|sessions|discussions)( please|)?
  (chat history|chat list|list of chats|conversation history|my chats|our chats|all chats|chats)( please|)?
  (which|what) (topics|subjects|themes|things) (did we talk about|have we discussed|did we have|did we discuss|came up)( lately| recently| in the last chats|)?
  (how many|which|what) (earlier|old|past|previous|other) (chats|conversations|sessions) (do we have|do i have|have i had|did i have|can you see)?
  what (was|were) (our|my|the) last (chat|chats|conversation|conversations|few chats|sessions) about?
  (can't|cannot) remember what (we talked about|our last chats were about|we chatted about) (lately|recently|last time|before)
  (when|on which days) did we (chat|talk|last talk|last chat)( before| lately| recently|)?
  (what all|what things) (did we|have we) (talk|chat|talked|chatted|speak) about (in the last days|this month|this week|so far|in the past)?
  (where did we leave off|what did we do last time|what was our last chat|what did we last talk about|what did we speak about last)?
  (titles|names|dates|subjects) of (our|my|the last|the recent|all) (chats|conversations)( please|)
  (have we|did we) (ever |)(talked|talk|chatted|chat) before? (about what|what about|list the chats)
  (tell|show) me (which|what) (chats|conversations) (we had|i had|there were|there are|you remember)( lately| before|)
  i (forgot|don't remember|have no idea) (what|which things) we (talked|chatted|spoke) about (lately|recently|before|last week)
  (go back|scroll back|look back) (to|over|through) (our|my) (earlier|last|recent) (chats|conversations)
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
