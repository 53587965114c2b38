import type { HostState } from '../../rpc/host-state.ts'
import type { ChatMemory } from './chat-memory.ts'
import type { ChatSkills } from './chat-skills.ts'
import type { ChatState } from './chat-state.ts'
import type { ChatLearning } from './learning/chat-learning.ts'

type Chat = ChatState & ChatLearning & ChatMemory & ChatSkills

/** Reload a chat's memory, skills and learning data when the host has reported changes. */
export function readTold(chat: Chat, now: HostState, then: HostState): void {
  const isMemory = now.memoryVersion !== then.memoryVersion
  const isSkills = now.skillsVersion !== then.skillsVersion
  if (isMemory && chat.learned.length > 0) void chat.readLearned()
  if (isSkills && chat.skillChanges.length > 0) void chat.readSkillChanges()
  // Proposals show whether their target changed, and any window or agent may change it.
  const isTarget = (isMemory || isSkills) && (chat.offers?.length ?? 0) > 0
  if (isTarget || now.learningVersion !== then.learningVersion) void chat.readOffers()
}
