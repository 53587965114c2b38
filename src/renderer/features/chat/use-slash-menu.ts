import { useId, useState, type KeyboardEvent } from 'react'
import { isKey } from '../../ui/keys.ts'
import { useKnownSkills } from './known-skills.ts'
import { matching, skillsFor, slashWord, type Offer } from './offered-skills.ts'
import { useWorkspace } from './use-session.ts'

/** Entries shown at once. Typing narrows the list. */
const MOST = 50

export type SlashMenu = {
  id: string
  offers: readonly Offer[]
  /** The number of matches not shown. */
  hidden: number
  /** The index of the entry that Enter accepts. */
  at: number
  optionId: (index: number) => string
  point: (index: number) => void
  choose: (offer: Offer) => void
}

type Props = {
  draft: string
  setDraft: (text: string) => void
  commands: readonly Offer[]
}

/** The state of an open menu: when it opened, and which entry is highlighted. */
type Asked = { text: string; closed: boolean; at: number }

/** The menu opened by a slash at the start of a message; null when there is nothing to show. */
export function useSlashMenu({ draft, setDraft, commands }: Props): {
  menu: SlashMenu | null
  onText: (text: string) => void
  onBlur: () => void
  /** True when the menu handled the key. */
  onKey: (event: KeyboardEvent) => boolean
} {
  const id = useId()
  const [asked, setAsked] = useState<Asked>({ text: '', closed: false, at: 0 })
  const word = slashWord(draft)
  const skills = useKnownSkills(word !== undefined)
  const workspace = useWorkspace()
  // Only new typing opens the menu; a restored draft does not.
  const wanted = word !== undefined && asked.text === draft && !asked.closed
  // A complete command runs on the next key.
  const isCommand = commands.some(offer => offer.word === draft)
  const all =
    wanted && !isCommand ? matching([...skillsFor(workspace, skills).map(asOffer), ...commands], word) : []
  const offers = all.slice(0, MOST)
  const at = Math.min(asked.at, offers.length - 1)

  const choose = ({ word, kind }: Offer) => {
    // The user goes on to type what the skill should do.
    setDraft(kind === 'skill' ? `${word} ` : word)
    setAsked({ text: '', closed: false, at: 0 })
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
}): Offer => ({
  word: `/${name}`,
  says: description,
  kind: 'skill',
  loads: uses.loads,
})
