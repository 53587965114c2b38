import type { Model } from '../../../shared/contract/models/model.ts'
import { byCount, many } from '../../../shared/text/amounts.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { Store } from '../../db/store.ts'
import type { KnownContact, PhoneQuestions } from '../gateway-parts.ts'
import type { Outbox } from '../messages/open-outbox.ts'
import { isUserAlone, readPlace, rememberPlace, type KnownPlace } from '../places.ts'
import type { Place, Platform } from '../platform.ts'
import type { PlaceTurns } from './open-turns.ts'
import { keptOf, type PlaceChats } from './place-chats.ts'

type Parts = {
  store: Pick<Store, 'gateway' | 'sessions'>
  outbox: Outbox
  questions: PhoneQuestions
  turns: Pick<PlaceTurns, 'stop'>
  chats: PlaceChats
  isRunning(sessionId: string): boolean
  listModels(): Promise<readonly Model[]>
  /** Go back to before the last message of a chat, and return it. Throws a Fault if that is not possible. */
  undo(sessionId: string): Promise<string>
  /** List schedules, or add one that reports to the messenger. Throws a Fault for unclear words. */
  schedule(words: string, place: { folder: string; modelId: string }): Promise<string>
  now(): number
}

/** `isQuiet`: the command is carried out without an answer. */
type Where = { platform: Platform; place: Place; contact: KnownContact; isQuiet?: true }
/** A command as written. */
export type Command = { name: string; words: string }
/** `own`: only for the user of this computer, in a private chat. `private`: in any private chat. */
type Entry = {
  help: string
  only?: 'own' | 'private'
  run(where: Where, words: string): string | Promise<string>
}

/** The commands that can be used in places. */
export type PlaceCommands = ReturnType<typeof createCommands>

const MOST_MODELS = 30

/** Create the commands. Others are told which ones only the user of this computer may use. */
export function createCommands(parts: Parts) {
  const { store, outbox, questions, turns, chats } = parts

  const placeOf = ({ platform, place, contact }: Where): KnownPlace =>
    rememberPlace(store.gateway, { platform: platform.name, place, contactId: contact.id, at: parts.now() })

  const chatOf = (where: Where) => chats.ownChat(placeOf(where))

  async function chooseModel(where: Where, words: string): Promise<string> {
    const models = (await parts.listModels()).filter(({ problem }) => problem === null)
    const session = chatOf(where)
    const current = models.find(({ id }) => id === session?.modelId)
    if (words === '') {
      const names = models.slice(0, MOST_MODELS).map(({ name }) => `- ${name}`)
      return `${current ? `This chat uses ${current.name}.` : 'This place has no chat yet.'}\n\n${names.join('\n')}\n\nWrite “/model” and a name to choose another one for this chat.`
    }
    const asked = words.toLowerCase()
    const exact = models.filter(({ name }) => name.toLowerCase() === asked)
    const found = exact.length > 0 ? exact : models.filter(({ name }) => name.toLowerCase().includes(asked))
    const [model] = found
    if (!model) return `There is no model called “${words}”. /model lists them.`
    if (found.length > 1) return `Which one? ${found.map(({ name }) => name).join(', ')}`
    const { session: chosen } = session ? { session } : chats.chatFor(placeOf(where), where.contact)
    store.sessions.update(chosen.id, { modelId: model.id })
    return `This chat uses ${model.name} from now on.`
  }

  async function tellStatus(where: Where): Promise<string> {
    const session = chatOf(where)
    const rights =
      where.contact.rights === 'ask'
        ? 'I ask here before I change anything.'
        : 'I read and answer. Whatever would change something is denied.'
    if (!session) return `There is no chat here yet. Write something to start one. ${rights}`
    const model = (await parts.listModels()).find(({ id }) => id === session.modelId)
    const open = store.gateway.openOutbox().filter(({ placeKey }) => placeKey === where.place.key).length
    return [
      parts.isRunning(session.id)
        ? session.waiting
          ? 'I wait for your answer to a question.'
          : 'I am working. /stop stops me.'
        : 'I am waiting for you.',
      `Chat: ${session.title || session.preview || 'new'}, ${many(session.turnCount, 'message')} of yours`,
      `Model: ${model?.name ?? session.modelId}`,
      rights,
      ...(open > 0 ? [byCount(open, 'One message is being sent.', `${open} messages are being sent.`)] : []),
    ].join('\n')
  }

  const entries: Readonly<Record<string, Entry>> = {
    start: { help: 'say what I can do', run: where => greet(where) },
    help: { help: 'list what you can write', run: where => listHelp(where) },
    new: {
      help: 'start a new chat',
      async run(where) {
        const place = placeOf(where)
        await turns.stop(place)
        const had = chats.endNow(place)
        return had ? `A new chat begins. ${keptOf(place, where.contact)}` : 'A new chat begins.'
      },
    },
    stop: {
      help: 'stop at once',
      run: async where => ((await turns.stop(placeOf(where))) ? '' : 'Nothing is running.'),
    },
    status: { help: 'say what is happening', run: tellStatus },
    model: { help: 'see or choose the model of this chat', only: 'own', run: chooseModel },
    undo: {
      help: 'undo your last message and its answer',
      only: 'private',
      async run(where) {
        const session = chatOf(where)
        if (!session) return 'There is nothing to undo.'
        const text = await parts.undo(session.id)
        // In another contact's chat, the last message may be the user's, so do not quote it.
        const what = isUserAlone(where) ? `Undone: “${text.slice(0, 200)}”.` : 'Your last message was undone.'
        return `${what} Changed files stay as they are; you can undo those changes at the computer.`
      },
    },
    approve: {
      help: 'allow what I ask, by its number',
      run: (where, words) => questions.answerInWords(where, 'once', words),
    },
    deny: {
      help: 'refuse what I ask, by its number',
      run: (where, words) => questions.answerInWords(where, 'deny', words),
    },
    schedule: {
      help: 'list schedules, or add one: /schedule every weekday at 8 tell me the news',
      only: 'own',
      run(where, words) {
        const { session } = chats.chatFor(placeOf(where), where.contact)
        return parts.schedule(words, { folder: session.workspace, modelId: session.modelId })
      },
    },
  }

  function whyNot({ only }: Entry, { contact, place }: Where): string | undefined {
    if (only === 'own' && !isUserAlone({ contact, place }))
      return 'Only the computer’s user can do that, in a private chat.'
    return only === 'private' && place.kind !== 'private' ? 'That is done in a private chat.' : undefined
  }

  const listHelp = (where: Where) =>
    Object.entries(entries)
      .filter(([, entry]) => whyNot(entry, where) === undefined)
      .map(([name, { help }]) => `/${name} – ${help}`)
      .join('\n')

  function greet(where: Where): string {
    const { contact } = where
    const what =
      contact.rights === 'ask'
        ? 'I ask here before I change anything.'
        : 'I read and answer here. Whatever would change something is denied.'
    return `I am Talaria, on ${contact.relation === 'you' ? 'your computer' : 'the computer of the one who lets you write here'}. Just write. ${what}\n\n${listHelp(where)}`
  }

  return {
    /** Return the commands to suggest. */
    list: () => Object.entries(entries).map(([name, { help }]) => ({ name, help })),
    /** Parse a command, such as `/new` or `/new@bot`; undefined for any other text. */
    read(text: string): Command | undefined {
      const [, name = '', words = ''] =
        /^\/([a-z]{1,20})(?:@\w{1,64})?(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? []
      return Object.hasOwn(entries, name.toLowerCase())
        ? { name: name.toLowerCase(), words: words.trim() }
        : undefined
    },
    async run({ name, words }: Command, where: Where): Promise<void> {
      const entry = entries[name]
      if (!entry) return
      let text: string
      try {
        text = whyNot(entry, where) ?? (await entry.run(where, words))
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        text = isUserAlone(where)
          ? error.message
          : 'That did not work. The computer’s user has to look at it.'
      }
      if (where.isQuiet) return
      const row = store.gateway.place(where.platform.name, where.place.key)
      if (text !== '')
        outbox.say(where.platform, where.place, text, { sessionId: row ? readPlace(row).sessionId : null })
    },
  }
}
