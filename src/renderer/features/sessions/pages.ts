import { Box, Brain, History, MessageSquare, Sparkles, type LucideIcon } from 'lucide-react'
import type { Page } from '../../route.ts'

/** The pages of the window, in sidebar order. */
export const pages: readonly { page: Page; label: string; Icon: LucideIcon }[] = [
  { page: 'chat', label: 'Chat', Icon: MessageSquare },
  { page: 'memory', label: 'Memory', Icon: Brain },
  { page: 'skills', label: 'Skills', Icon: Sparkles },
  { page: 'activity', label: 'Activity', Icon: History },
  { page: 'models', label: 'Models', Icon: Box },
]
