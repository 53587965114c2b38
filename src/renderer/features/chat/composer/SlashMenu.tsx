import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Personality } from '../../../../shared/contract/chats/session.ts'
import type { Template } from '../../../../shared/contract/chats/templates.ts'
import { countOf, formatCount } from '../../../ui/text/format-values.ts'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { cx } from '../../../ui/style.ts'
import {
  inGroups,
  matchingSkills,
  mostUsedFirst,
  noteCommand,
  slashWord,
  useSkillsHere,
  useStyles,
  type SlashOffer,
} from './known-skills.ts'
import { byCount } from '../../../../shared/text/amounts.ts'

/** The slash menu above the message field. The field keeps the focus. */
export function SlashMenu({ menu }: { menu: SlashMenuState }): ReactNode {
  const { id, offers, hidden, at, optionId, point, choose } = menu
  const groups = inGroups(offers)
  useEffect(() => {
    const option = document.getElementById(`${id}-${at}`)
    // Also scroll the heading above the first row of a group into view.
    const heading = option?.previousElementSibling?.getAttribute('role') === 'presentation'
    ;(heading ? option?.previousElementSibling : option)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  return (
    // A press in the menu must not take the focus from the field.
    <div role="presentation" className="slash-menu" onMouseDown={event => event.preventDefault()}>
      {/* HTML has no element for a list controlled by another field. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div id={id} role="listbox" tabIndex={0} aria-label="Skills and commands">
        {groups.map(([title, group]) => (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no element groups the options of a list
          <div key={title} role="group" aria-label={title}>
            {groups.length > 1 && (
              <p role="presentation" className="px-2.5 pt-1.5 pb-0.5 text-xs font-medium text-ink-3">
                {title}
              </p>
            )}
            {group.map(offer => {
              const index = offers.indexOf(offer)
              return (
                <SlashRow
                  key={`${offer.kind} ${offer.word}`}
                  id={optionId(index)}
                  offer={offer}
                  isAt={index === at}
                  onPoint={() => index !== at && point(index)}
                  onChoose={() => choose(offer)}
                />
              )
            })}
          </div>
        ))}
      </div>
      {hidden > 0 && (
        <p className="px-2.5 py-1 text-xs text-ink-3">{`${formatCount(hidden)} more. Keep typing to find them.`}</p>
      )}
      <output className="sr-only">{`${countOf(offers.length, 'entry', 'entries')}. The arrow keys choose, Enter inserts, Esc closes the list.`}</output>
    </div>
  )
}

type SlashRowProps = {
  id: string
  offer: SlashOffer
  isAt: boolean
  onPoint: () => void
  onChoose: () => void
}

function SlashRow({ id, offer, isAt, onPoint, onChoose }: SlashRowProps) {
  return (
    // The field handles the keys and names the active option.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      aria-selected={isAt}
      className={cx('slash-option', isAt && 'bg-hover')}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <span dir="ltr" className="max-w-3/5 shrink-0 truncate font-medium text-ink">
        {offer.word}
      </span>
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
        {offer.says === '' ? 'No description.' : offer.says}
      </span>
      {offer.loads > 0 && (
        <span className="shrink-0 text-xs text-ink-3">
          {byCount(offer.loads, 'used once', `used ${formatCount(offer.loads)} times`)}
        </span>
      )}
    </div>
  )
}

/** Maximum number of entries shown. Typing narrows the list. */
const MOST = 50

export type SlashMenuState = {
  id: string
  offers: readonly SlashOffer[]
  /** The number of matches not shown. */
  hidden: number
  /** The index of the entry that Enter accepts. */
  at: number
  optionId: (index: number) => string
  point: (index: number) => void
  choose: (offer: SlashOffer) => void
}

type SlashMenuProps = {
  /** Called with the name of a template that was chosen. */
  onTemplate: (name: string) => void
  templates: readonly Template[]
  draft: string
  setDraft: (text: string) => void
  commands: readonly SlashOffer[]
}

/** The state of an open menu: when it opened, and which entry is highlighted. */
type Asked = { text: string; closed: boolean; at: number }

/** The menu opened by a slash at the start of a message; null if there is nothing to show. */
export function useSlashMenu({ draft, setDraft, commands, templates, onTemplate }: SlashMenuProps): {
  menu: SlashMenuState | null
  onText: (text: string) => void
  onBlur: () => void
  /** Whether a skill of this chat has the name. */
  isSkill: (name: string) => boolean
  /** Returns true if the menu handled the key. */
  onKey: (event: KeyboardEvent) => boolean
} {
  const id = useId()
  const [asked, setAsked] = useState<Asked>({ text: '', closed: false, at: 0 })
  const word = slashWord(draft)
  // Only new typing opens the menu; a restored draft does not.
  const wanted = word !== undefined && asked.text === draft && !asked.closed
  // A complete command runs on the next key.
  const isStyle = word?.startsWith('personality ') ?? false
  const skills = useSkillsHere(draft.startsWith('/') && !isStyle)
  const styles = useStyles(isStyle).map(asStyleOffer)
  const ready = isStyle ? [...styles, NO_STYLE] : mostUsedFirst(commands)
  const isCommand = ready.some(({ word, kind }) => word === draft && kind === 'command')
  // If a skill has the same name, the word means the skill.
  const named = new Set(skills.map(each => each.name))
  const prompts = isStyle ? [] : templates.map(each => asTemplateOffer(each, named.has(each.name)))
  const all = wanted && !isCommand ? matchingSkills([...ready, ...skills.map(asOffer), ...prompts], word) : []
  const offers = inGroups(all)
    .flatMap(([, group]) => group)
    .slice(0, MOST)
  const at = Math.min(asked.at, offers.length - 1)

  const choose = ({ word, kind }: SlashOffer) => {
    if (kind === 'template') {
      setAsked({ text: '', closed: false, at: 0 })
      return onTemplate(word.slice(1))
    }
    if (kind !== 'skill') noteCommand(word)
    // The user then types what the skill should do, or chooses from the group.
    const text = kind === 'command' ? word : `${word} `
    setDraft(text)
    setAsked({ text: kind === 'group' ? text : '', closed: false, at: 0 })
  }
  const point = (at: number) => setAsked({ ...asked, at })

  return {
    menu:
      offers.length === 0
        ? null
        : {
            id,
            offers,
            hidden: all.length - offers.length,
            at,
            optionId: index => `${id}-${index}`,
            point,
            choose,
          },
    onText: text =>
      setAsked({ text, at: 0, closed: asked.closed && text !== '/' && slashWord(text) !== undefined }),
    onBlur: () => setAsked({ ...asked, text: '' }),
    isSkill: name => skills.some(each => each.name === name),
    onKey(event) {
      if (offers.length === 0) return false
      if (isKey(event, 'arrowdown')) point((at + 1) % offers.length)
      else if (isKey(event, 'arrowup')) point((at - 1 + offers.length) % offers.length)
      else if (isKey(event, 'enter') || isKey(event, 'tab')) choose(offers[at]!)
      else if (isKey(event, 'escape')) setAsked({ ...asked, closed: true })
      else {
        // Keep the menu out of the Shift+Tab order.
        if (isKey(event, 'shift+tab')) setAsked({ ...asked, text: '' })
        return false
      }
      return true
    },
  }
}

const asOffer = ({
  name,
  description,
  uses,
}: {
  name: string
  description: string
  uses: { loads: number }
}): SlashOffer => ({
  word: `/${name}`,
  says: description,
  kind: 'skill',
  loads: uses.loads,
})

/** A template that cannot be used says why, as does one whose name belongs to a skill. */
const asTemplateOffer = ({ name, text, problem }: Template, isSkill: boolean): SlashOffer => ({
  word: `/${name}`,
  says:
    problem !== null
      ? `Cannot be used: its file ${problem}.`
      : isSkill
        ? 'Cannot be used: a skill has this name.'
        : text.replaceAll(/\s+/g, ' '),
  kind: 'template',
  loads: 0,
})

const asStyleOffer = ({ name, text, problem }: Personality): SlashOffer => ({
  word: `/personality ${name}`,
  says: problem === null ? text : `Cannot be used: its file ${problem}.`,
  kind: 'command',
  loads: 0,
})

const NO_STYLE: SlashOffer = { word: '/personality off', says: 'No style', kind: 'command', loads: 0 }
