import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Skill } from '../../../shared/contract/skills.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import type { Link } from '../../rpc/link.ts'

/** The skills as far as chats need them. */
export type KnownSkills = {
  skills: readonly Skill[]
  /** Whether the agent may write skills. */
  learns: boolean
}

type Store = KnownSkills & {
  /** Ask the host, unless what is known is of this version of the library. */
  read: (version: number) => Promise<Outcome<KnownSkills>>
}

/** One for each line to a host, whichever chat is shown. */
const stores = new WeakMap<Link, StoreApi<Store>>()

function storeOf(link: Link): StoreApi<Store> {
  const known = stores.get(link)
  if (known) return known
  let asked: { version: number; answer: Promise<Outcome<KnownSkills>> } | undefined

  const store = createStore<Store>(set => {
    async function ask(version: number): Promise<Outcome<KnownSkills>> {
      const list = await attempt(link.client['skills.list']({}))
      if (!list.ok) {
        // The next one who needs them asks again.
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

/** The skills of the library, from the moment that they are wanted, and anew whenever they change. */
export function useKnownSkills(wanted: boolean): readonly Skill[] {
  const store = storeOf(useLink())
  const version = useHost(host => host.skillsVersion)
  useEffect(() => {
    if (wanted) void store.getState().read(version)
  }, [store, version, wanted])
  return useStore(store, known => known.skills)
}

/** Ask for what is known of the skills once, such as for a press of a button. */
export function useAskSkills(): () => Promise<Outcome<KnownSkills>> {
  const store = storeOf(useLink())
  const version = useHost(host => host.skillsVersion)
  return () => store.getState().read(version)
}

/** The skill that something in a chat names, as it is now; undefined when it is gone. */
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
