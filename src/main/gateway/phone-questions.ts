import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Approval } from '../../shared/contract/runs/run.ts'
import { showHiddenInLine } from '../../shared/visible-text/show-hidden.ts'
import type { ApprovalAnswer } from '../agent/turn-types.ts'
import type { ContactStore, QuestionRow } from '../db/connections/contact-tables.ts'
import { parseJson } from '../lib/expected-errors.ts'
import { redactText } from '../untrusted/redact.ts'
import type { Clock } from '../lib/timing.ts'
import { tellWhere } from './contacts/open-contacts.ts'
import type { Contacts, KnownContact, PhoneQuestions, Speaker } from './gateway-parts.ts'
import type { Button, Place, Platform } from './platform.ts'
import { isShownWhole, sayAtComputer, tellQuestion, whyAtComputer } from './tell-question.ts'

/** How long a question waits, in ms. */
const QUESTION_MS = 10 * 60_000
/** A message that did not leave is sent again after so long, and twice as long each time. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000
/** Questions that are over are known for so long, for whoever presses their buttons. */
const KEPT_MS = 30 * 24 * 60 * 60_000
const LONGEST_NOTE = 2_000

type Parts = {
  store: Pick<ContactStore, 'addQuestion' | 'question' | 'changeQuestion' | 'openQuestions' | 'dropQuestions'>
  contacts: Pick<Contacts, 'of' | 'get' | 'privatePlace'>
  now: Clock
  /** How long a place of a messenger wants to be left alone, in ms, and that it said so. */
  waits: {
    of(this: void, platform: string, placeKey: string): number
    put(this: void, platform: string, placeKey: string, ms: number): void
  }
  report(this: void, error: unknown): void
}

/** A question that waits for its answer. */
type Live = {
  id: string
  number: number
  platform: Platform
  place: Place
  contact: KnownContact
  approval: Approval
  expiresAt: number
  /** Why it cannot be allowed on a phone. */
  atComputer: string | undefined
  answer(answer: ApprovalAnswer): void
}

/** Open the questions to phones. What a restart left open is over. */
export function openPhoneQuestions({ store, contacts, waits, now, report }: Parts): PhoneQuestions {
  const compose = (platform: Platform, markdown: string) => platform.compose(redactText(markdown))
  const live = new Map<string, Live>()
  const left = store.openQuestions()
  const leftIds = new Set(left.map(({ id }) => id))
  for (const { id } of left) store.changeQuestion(id, { state: 'over' })
  store.dropQuestions(now() - KEPT_MS)

  const ask: PhoneQuestions['ask'] = async (where, approval, signal, follower) => {
    const { platform, contact } = where
    const place = contacts.privatePlace(contact.id, platform)
    // Nobody is asked where others read, so this one is asked at the computer alone.
    if (!place) return await follower(approval, signal)
    const over = new AbortController()
    const until = AbortSignal.any([signal, over.signal])
    const phone = Promise.withResolvers<{ answer: ApprovalAnswer; end: string }>()
    const asked = settleQuestion({ platform, place, contact }, approval)
    const expiresAt = now() + QUESTION_MS
    const question: Live = {
      ...asked.question,
      expiresAt,
      answer(answer) {
        const from = tellWhere({ contact, platform })
        const given = approval.question && answer.decision !== 'deny' ? answer.note : undefined
        const end = answer.unanswered
          ? UNANSWERED
          : given === undefined
            ? sayDecision(answer, 'here')
            : `Answered: ${showHiddenInLine(given)}`
        // The first press counts, also where two arrive at once.
        live.delete(id)
        store.changeQuestion(id, { state: answer.unanswered ? 'over' : 'answered' })
        phone.resolve({ answer: answer.unanswered ? answer : { ...answer, from }, end })
      },
    }
    const { id } = question
    try {
      store.addQuestion({
        id,
        runId: where.runId,
        approvalId: approval.id,
        contactId: contact.id,
        platform: platform.name,
        placeKey: place.key,
        sentId: null,
        expiresAt,
        state: 'open',
        data: JSON.stringify({ title: approval.title, place }),
      })
    } catch (error) {
      // On a full disk, say. The computer can be asked without it.
      report(error)
      return await follower(approval, signal)
    }
    live.set(id, question)
    const timer = setTimeout(() => {
      phone.resolve({ answer: { decision: 'deny', note: UNANSWERED, unanswered: true }, end: UNANSWERED })
    }, QUESTION_MS).unref()
    const sending = send(question, asked, until).catch(report)
    try {
      const atComputer = follower(approval, until).then(answer => ({
        answer,
        end: answer.unanswered ? answer.note : sayDecision(answer, 'at the computer'),
      }))
      const { answer, end } = await Promise.race([phone.promise, atComputer])
      if (live.delete(id)) store.changeQuestion(id, { state: answer.unanswered ? 'over' : 'answered' })
      settle(question, end, sending)
      return answer
    } finally {
      clearTimeout(timer)
      live.delete(id)
      over.abort()
    }
  }

  /** What a question says, and what may be pressed below it. */
  function settleQuestion(speaker: Speaker, approval: Approval) {
    const id = randomBytes(16).toString('base64url')
    const number = freeNumber(speaker.contact.id)
    const { platform } = speaker
    const commands = approval.question
      ? `Question ${number}. Press a button, or write your answer.`
      : `Question ${number}. Without buttons: /approve ${number} or /deny ${number}`
    const told = tellQuestion(approval, commands)
    const parts = compose(platform, told.markdown)
    const why =
      whyAtComputer(approval) ?? (isShownWhole(parts, told) ? undefined : 'It cannot be shown in full here.')
    const atComputer = why === undefined ? undefined : sayAtComputer(why)
    const shown =
      atComputer === undefined
        ? parts
        : compose(platform, tellQuestion(briefly(approval), `${atComputer} Question ${number}.`).markdown)
    return { question: { id, number, ...speaker, approval, atComputer }, parts: shown }
  }

  function freeNumber(contactId: string): number {
    const taken = new Set(
      [...live.values()].filter(({ contact }) => contact.id === contactId).map(each => each.number),
    )
    let number = 1
    while (taken.has(number)) number++
    return number
  }

  /** Send a question until it has arrived, or may have. */
  async function send(
    { id, platform, place, approval, atComputer }: Live,
    { parts }: Pick<ReturnType<typeof settleQuestion>, 'parts'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const [part] = parts
    if (!part) return undefined
    const buttons = buttonsFor(id, approval, atComputer !== undefined)
    for (let pause = FIRST_WAIT_MS; !signal.aborted; pause = Math.min(LONGEST_WAIT_MS, pause * 2)) {
      const blocked = waits.of(platform.name, place.key)
      if (blocked > 0) await pauseFor(blocked, signal)
      if (signal.aborted) return undefined
      const sent = await platform.send(place, part, { isQuiet: false, buttons, signal })
      if (sent.kind === 'sent') {
        store.changeQuestion(id, { sentId: sent.messageId })
        return sent.messageId
      }
      if (sent.kind !== 'wait' && sent.kind !== 'not_sent') return undefined
      if (sent.kind === 'wait') waits.put(platform.name, place.key, sent.ms)
      else await pauseFor(pause, signal)
    }
    return undefined
  }

  const pauseFor = (ms: number, signal: AbortSignal) =>
    wait(ms, undefined, { signal, ref: false }).catch(() => {})

  /** Say below a question what became of it, and take its buttons away. */
  function settle(
    { platform, place, approval }: Live,
    end: string,
    sending: Promise<string | undefined | void>,
  ) {
    void sending
      .then(sentId =>
        sentId === undefined ? undefined : sayOver(platform, place, sentId, approval.title, end),
      )
      .catch(report)
  }

  function sayOver(platform: Platform, place: Place, sentId: string, title: string, end: string) {
    const over = { ...NOTHING, title }
    const [part] = compose(platform, tellQuestion(over, end).markdown)
    return part && platform.edit(place, sentId, part, [])
  }

  /** A timer stands still while the computer sleeps, so the time itself is asked too. */
  function isLate({ expiresAt, answer: end }: Live): boolean {
    if (now() < expiresAt) return false
    end({ decision: 'deny', note: UNANSWERED, unanswered: true })
    return true
  }

  /** Who answers, and whether they may. */
  function allow(question: Live): string | undefined {
    const rights = contacts.get(question.contact.id)?.rights
    return rights === 'ask'
      ? question.atComputer
      : 'You can no longer allow this here. Decide at the computer.'
  }

  const press: PhoneQuestions['press'] = async (platform, { from, place, messageId, data }) => {
    const [, id = '', what = ''] = /^q:([\w-]{22}):([ad]|\d{1,2})$/.exec(data) ?? []
    const row = store.question(id)
    if (!row) return GONE
    const presser = contacts.of(platform, from.id)
    if (!presser || !isAskedHere(row, platform, place, presser.id, messageId)) return NOT_YOURS
    const question = live.get(id)
    if (!question)
      return row.state === 'answered'
        ? 'This has already been answered.'
        : leftIds.has(row.id)
          ? RESTARTED
          : GONE
    return answer(question, what)
  }

  function answer(question: Live, what: string): string {
    if (isLate(question)) return GONE
    const { choices } = question.approval.question ?? {}
    if (what === 'd') {
      question.answer({ decision: 'deny', note: '' })
      return choices ? 'Not answered.' : 'Denied.'
    }
    const choice = choices?.[Number(what)]
    if (choices ? choice === undefined : what !== 'a') return GONE
    const refused = allow(question)
    if (refused !== undefined) return refused
    question.answer({ decision: 'once', note: choice ?? '', access: 'confined' })
    return choice === undefined ? 'Allowed once.' : 'Answered.'
  }

  /** The questions that somebody may answer in a place. */
  const openIn = ({ platform, place, contact }: Speaker) =>
    [...live.values()]
      .filter(
        each =>
          each.contact.id === contact.id &&
          each.platform.name === platform.name &&
          each.place.key === place.key,
      )
      .toSorted((a, b) => a.number - b.number)

  return {
    ask,
    press,
    async answerInWords(speaker, decision, words) {
      const what = decision === 'once' ? 'approve' : 'deny'
      const number = /^\d{1,4}$/.test(words) ? Number(words) : undefined
      if (number === undefined && words !== '') return `Write the number of a question, such as /${what} 1.`
      if (speaker.place.kind !== 'private') return 'Answer questions in your private chat with the agent.'
      const open = openIn(speaker)
      const [first] = open
      if (!first) return 'No question is waiting here.'
      if (number === undefined && open.length > 1)
        return `Several questions are waiting: ${open.map(each => each.number).join(', ')}. Say which one, such as /${what} ${first.number}.`
      const question = number === undefined ? first : open.find(each => each.number === number)
      if (!question)
        return `There is no question ${number}. Waiting: ${open.map(each => each.number).join(', ')}.`
      if (what === 'approve' && question.approval.question) return 'Write your answer, or press a button.'
      return answer(question, what === 'approve' ? 'a' : 'd')
    },
    reply(speaker, text) {
      const open = openIn(speaker)
      const [question] = open
      const asked = question?.approval.question
      if (!question || !asked || open.length > 1 || speaker.place.kind !== 'private') return undefined
      if (isLate(question)) return undefined
      const refused = allow(question)
      if (refused !== undefined) return refused
      const said = text.trim().slice(0, LONGEST_NOTE)
      const chosen = /^\d{1,2}$/.test(said) ? asked.choices[Number(said) - 1] : undefined
      question.answer({ decision: 'once', note: chosen ?? said, access: 'confined' })
      return ''
    },
    async endLeft(platform) {
      const mine = left.filter(each => each.platform === platform.name)
      for (const row of mine) left.splice(left.indexOf(row), 1)
      for (const { sentId, data } of mine) {
        if (sentId === null) continue
        const stored = parseJson(data)
        if (!isStored(stored)) continue
        const { title, place } = stored
        await sayOver(platform, place, sentId, title, RESTARTED)
      }
    },
  }
}

const UNANSWERED = 'Nobody answered within 10 minutes.'
const GONE = 'This question is over.'
const NOT_YOURS = 'This question is for somebody else.'
const RESTARTED = 'Talaria has restarted since, so this question is over. Ask for it again.'

const NOTHING: Approval = {
  id: '',
  callId: '',
  tool: '',
  title: '',
  detail: '',
  folder: '',
  reason: '',
  risk: 'read',
  mayAllowInChat: false,
}

/** The same question without what is too long or too much for a phone. */
const briefly = ({ agent, title, reason }: Approval): Approval => ({
  ...NOTHING,
  ...(agent && { agent }),
  title: title.slice(0, 200).toWellFormed(),
  reason: reason.slice(0, 500).toWellFormed(),
})

const isStored = (value: unknown): value is { title: string; place: Place } =>
  typeof value === 'object' && value !== null && 'title' in value && 'place' in value

/** Exactly the account that was asked, in the place and by the message that asked it. */
const isAskedHere = (
  row: QuestionRow,
  platform: Platform,
  place: Place,
  contactId: string,
  messageId: string,
) =>
  row.contactId === contactId &&
  row.platform === platform.name &&
  row.placeKey === place.key &&
  (row.sentId === null || row.sentId === messageId)

function buttonsFor(id: string, { question }: Approval, isAtComputer: boolean): Button[][] {
  const deny = { text: question ? 'Do not answer' : 'Deny', data: `q:${id}:d` }
  if (isAtComputer) return [[deny]]
  if (!question) return [[{ text: 'Allow once', data: `q:${id}:a` }, deny]]
  const choices = question.choices
    .slice(0, 100)
    .map((choice, at) => [
      { text: showHiddenInLine(choice).slice(0, 60).toWellFormed(), data: `q:${id}:${at}` },
    ])
  return [...choices, [deny]]
}

const sayDecision = ({ decision }: ApprovalAnswer, where: string) =>
  `${decision === 'deny' ? 'Denied' : 'Allowed'} ${where}.`
