import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { Skill } from '../../../shared/contract/skills.ts'
import type { SkillsStore } from './skills-store.ts'

/** Shared by the parts of the page: the store, and actions the window provides. */
export type SkillsPageContext = {
  store: StoreApi<SkillsStore>
  /** Start a new chat with a skill; undefined where chats are unavailable. */
  onTry: ((skill: Skill) => void) | undefined
}

export const SkillsContext = createContext<SkillsPageContext | null>(null)

function usePageContext(): SkillsPageContext {
  const context = use(SkillsContext)
  if (!context) throw new Error('A part of the skills was drawn outside of SkillsPage.')
  return context
}

/** The store itself, for code outside rendering. */
export const useSkillsStore = (): StoreApi<SkillsStore> => usePageContext().store

/** Starts a new chat with a skill. */
export const useTry = () => usePageContext().onTry

/** Select a part of the library. The component renders again only when that part changes. */
export const useSkills = <T>(select: (skills: SkillsStore) => T): T => useStore(useSkillsStore(), select)

/** A skill by its id; undefined when it is not in the library. */
export const useSkill = (id: string | null): Skill | undefined =>
  useSkills(skills => skills.library?.skills.find(skill => skill.id === id))
