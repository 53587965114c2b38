import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Personality } from '../../../shared/contract/session.ts'
import type { Skill } from '../../../shared/contract/skills.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import type { Link } from '../../rpc/link.ts'
import { useAsked } from '../../rpc/use-asked.ts'
import { useSession, useWorkspace } from './chats.ts'

/** The data about skills that chats need. */
type KnownSkills = {
  skills: readonly Skill[]
  /** Whether the agent may write skills. */
  learns: boolean
}

type Store = KnownSkills & {
  /** Load the skills, unless the cached list matches this version of the library. */
  read: (version: number) => Promise<Outcome<KnownSkills>>
}

/** One cache per host connection, shared by all chats. */
const stores = new WeakMap<Link, StoreApi<Store>>()

function storeOf(link: Link): StoreApi<Store> {
  const known = stores.get(link)
  if (known) return known
  let asked: { version: number; answer: Promise<Outcome<KnownSkills>> } | undefined

  const store = createStore<Store>(set => {
    async function ask(version: number): Promise<Outcome<KnownSkills>> {
      const list = await attemptCall(link.client['skills.list']({}))
      if (!list.ok) {
        // The next request retries.
        if (asked?.version === version) asked = undefined
        return list
      }
      const { skills, learnFromChats: learns } = list.value
      if (asked?.version === version) set({ skills, learns })
      return { ok: true, value: { skills, learns } }
    }
    return {
      skills: [],
      learns: true,
      read: version => {
        if (asked?.version !== version) asked = { version, answer: ask(version) }
        return asked.answer
      },
    }
  })
  stores.set(link, store)
  return store
}

/** The skills of the library, loaded on first use and reloaded after each change. */
export function useKnownSkills(wanted: boolean): readonly Skill[] {
  const store = storeOf(useLink())
  const version = useHost(host => host.skillsVersion)
  useEffect(() => {
    if (wanted) void store.getState().read(version)
  }, [store, version, wanted])
  return useStore(store, known => known.skills)
}

/** The styles of answering, read each time they are wanted: their files change without news. */
export function useStyles(wanted: boolean): readonly Personality[] {
  const { client } = useLink()
  const styles = useAsked(
    async signal =>
      wanted
        ? attemptCall(client['session.personalities']({}, { signal }))
        : { ok: true, value: { personalities: [] } },
    String(wanted),
  )
  return styles?.ok ? styles.value.personalities : []
}

/** Load the skills once, for example on a button press. */
export function useAskSkills(): () => Promise<Outcome<KnownSkills>> {
  const store = storeOf(useLink())
  const version = useHost(host => host.skillsVersion)
  return () => store.getState().read(version)
}

/** The current version of a skill named in a chat; undefined when it was deleted. */
export function presentSkill(
  skills: readonly Skill[],
  { id = null, key, name }: { id?: string | null; key?: string; name: string },
): Skill | undefined {
  const used = skills.filter(skill => skill.shadowedBy === null)
  return (
    skills.find(skill => skill.id === id) ??
    used.find(skill => (key === undefined ? skill.name === name : skill.key === key))
  )
}

/** An entry of the slash menu. */
export type SlashOffer = {
  /** The text to insert, including its slash. A group is a word that others follow, which the menu then offers. */
  word: string
  /** A one-line description. */
  says: string
  kind: 'command' | 'skill' | 'group' | 'template'
  /** How often the skill was loaded. */
  loads: number
}

/** Slash commands that the host understands. */
const sayable = /^[\p{L}\d._-]{1,64}$/u

/** The skills that this chat can send, most used first, while they are wanted. */
export function useSkillsHere(wanted: boolean): readonly Skill[] {
  const { client } = useLink()
  const session = useSession()
  const workspace = useWorkspace()
  const versions = useHost(host => `${host.skillsVersion} ${host.settingsVersion}`)
  const place = session ? { sessionId: session.id } : { folder: workspace }
  // A new chat that becomes a session has the same skills.
  const { toolsets = {}, approval = 'ask' } = session ?? {}
  const key = JSON.stringify([workspace, toolsets, approval, versions])
  const skills = useAsked(
    async signal =>
      wanted ? attemptCall(client['skills.forChat'](place, { signal })) : { ok: true, value: { skills: [] } },
    `${wanted} ${key}`,
  )
  if (!skills?.ok) return []
  return skills.value.skills.filter(({ name, unavailable }) => unavailable === null && sayable.test(name))
}

/** What follows the slash, while the message contains nothing else but a word, or the name of a style; otherwise undefined. */
export const slashWord = (draft: string): string | undefined =>
  /^\/([\p{L}\d._-]{0,64}|personality [\w-]{0,32})$/u.exec(draft)?.[1]

/** The entries that match a partial word: prefix matches first, then matches inside the name. */
export function matchingSkills(offers: readonly SlashOffer[], typed: string): SlashOffer[] {
  const word = typed.toLowerCase()
  const rank = (offer: SlashOffer) => {
    const name = offer.word.slice(1).toLowerCase()
    if (name.startsWith(word)) return 0
    return name.split(/[._-]/u).some(part => part.startsWith(word)) ? 1 : 2
  }
  return offers.filter(offer => rank(offer) < 2).toSorted((a, b) => rank(a) - rank(b))
}
