import type { Written } from './relation.ts'

/** Work, learning, and what holds for a project. */
export const aboutWork: Readonly<Record<string, Written>> = {
  job: {
    value: '{job}',
    said: `
      i work as a {job}
      i'm a {job}
      i am a {job}
      my job is {job}
      ---
      my profession is {job}
      i earn my money as a {job}`,
    topic: `
      my job
      what my job is
      what i do for a living
      what i work as
      ---
      my profession
      how i earn my money`,
    ask: `
      (what is|what's) my job?
      what do i do for a living?
      what do i work as?
      (which|what) job do i have?
      do you (know|remember) (my job|what i do for work)?
      tell me what my job is
      ---
      what's my profession?
      how do i earn my money?
      what am i by trade?`,
  },
  company: {
    value: '{company}',
    said: `
      i work at {company}
      i work for {company}
      my employer is {company}
      i started at {company}
      ---
      i have a job with {company}`,
    topic: `
      where i work
      my employer
      who i work for
      ---
      the place i work at`,
    ask: `
      where do i work?
      who do i work for?
      (what is|what's|who is) my employer?
      do you (know|remember) where i work?
      (which|what) company do i work for?
      tell me where i work
      ---
      at what place do i earn my money?
      who employs me?`,
  },
  subject: {
    value: '{subject}',
    said: `
      i study {subject}
      i studied {subject}
      i'm studying {subject}
      my subject is {subject}
      ---
      i am a student of {subject}`,
    topic: `
      what i study
      my subject
      my studies
      ---
      the field i'm in`,
    ask: `
      what do i study?
      what did i study?
      (what is|what's) my subject?
      (which|what) subject do i study?
      do you (know|remember) what i study?
      ---
      what am i a student of?`,
  },
  language: {
    value: '{language}',
    said: `
      i'm learning {language}
      i am learning {language}
      i learn {language}
      i study {language} at night
      ---
      i take lessons in {language}`,
    topic: `
      the language i'm learning
      what i'm learning
      which language i learn
      ---
      the language i take lessons in`,
    ask: `
      (which|what) language am i learning?
      what am i learning?
      which language do i learn?
      do you (know|remember) which language i'm learning?
      ---
      in what language do i take lessons?`,
  },
  speaks: {
    value: '{language}',
    said: `
      my (native language|mother tongue|first language) is {language}
      i speak {language}
      i speak {language} at home
      ---
      my language is {language}`,
    topic: `
      my (native language|mother tongue|first language)
      which language i speak
      ---
      my language`,
    ask: `
      (what is|what's) my (native language|mother tongue|first language)?
      (which|what) language do i speak?
      do you (know|remember) which language i speak?
      ---
      in what language was i raised?`,
  },
  editor: {
    value: '{editor}',
    said: `
      i use {editor}
      i use {editor} at work
      my (editor|favourite app|main program) is {editor}
      ---
      i do everything in {editor}`,
    topic: `
      which (editor|program|browser|app) i use
      my (editor|browser|program)
      ---
      the app i work with`,
    ask: `
      (which|what) (editor|program|browser|app) do i use?
      (what is|what's) my (editor|browser|favourite app)?
      do you (know|remember) which (editor|browser|program) i use?
      ---
      in what program do i work?`,
  },
  responsible: {
    target: 'memory',
    key: '{noun}',
    value: '{person}',
    said: `
      {person} {verb} the {noun}
      the {noun} is done by {person}
      the {noun} belongs to {person}
      the {noun} is {person}'s task
      ---
      the {noun} is in the hands of {person}`,
    topic: `
      who does the {noun}
      the {noun}
      who is responsible for the {noun}
      ---
      whose task the {noun} is`,
    ask: `
      who {verb} the {noun}?
      (who is|who's) responsible for the {noun}?
      who does the {noun}?
      whom do i ask about the {noun}?
      do you (know|remember) who does the {noun}?
      ---
      in whose hands is the {noun}?
      whose task is the {noun}?`,
  },
  deadline: {
    target: 'memory',
    key: '{noun}',
    value: '{date}',
    said: `
      the {noun} is due on {date}
      the {noun} deadline is {date}
      the deadline for the {noun} is {date}
      the {noun} has to be ready by {date}
      the {noun} starts on {date}
      ---
      the {noun} must be finished on {date}`,
    topic: `
      when the {noun} is due
      the {noun} deadline
      the deadline for the {noun}
      the date of the {noun}
      ---
      until when the {noun} must be ready`,
    ask: `
      when is the {noun} due?
      (when is|when's|what is) the {noun} deadline?
      (what is|what's) the deadline for the {noun}?
      until when must the {noun} be ready?
      do you (know|remember) when the {noun} is due?
      when does the {noun} start?
      ---
      by what date should the {noun} be done?
      how long do i have for the {noun}?`,
  },
  codeName: {
    target: 'memory',
    key: '{noun}',
    value: '{coined}',
    said: `
      the {noun} is called {coined}
      the {noun} server is called {coined}
      the name of the {noun} is {coined}
      the {noun} company is {coined}
      the {noun} contact is {coined}
      ---
      the {noun} goes by the name {coined}`,
    topic: `
      what the {noun} is called
      the name of the {noun}
      ---
      how the {noun} is called`,
    ask: `
      (what is|what's) the {noun} called?
      (what is|what's) the name of the {noun}?
      how is the {noun} called?
      do you (know|remember) the name of the {noun}?
      ---
      what name does the {noun} have?`,
  },
  projectCode: {
    target: 'project',
    value: '{code}',
    said: `
      this project is written in {code}
      this project uses {code}
      this repository is in {code}
      this project is a {code} project
      ---
      this codebase is made with {code}`,
    topic: `
      what this project is written in
      the language of this project
      ---
      which language this codebase is made with`,
    ask: `
      (what|which language) is this project written in?
      which programming language does this project use?
      what does this project use?
      do you (know|remember) what this project is written in?
      ---
      this codebase, what is it made with?`,
  },
  projectTests: {
    target: 'project',
    value: '{command}',
    said: `
      this project is tested with {command}
      the tests of this project run with {command}
      the build of this project is {command}
      in this project the tests are run with {command}
      ---
      the checks of this project are done with {command}`,
    topic: `
      how this project is tested
      how the tests of this project run
      ---
      how this project is checked`,
    ask: `
      how is this project tested?
      how do (i|we) (test|build) this project?
      how do the tests of this project run?
      with what command do the tests of this project run?
      ---
      how do i check this project?`,
  },
  projectDay: {
    target: 'project',
    value: '{weekday}',
    said: `
      this project is released on {weekday}s
      this project is deployed on {weekday}s
      this project ships every {weekday}
      this project is published every {weekday}
      ---
      this project goes live on {weekday}s`,
    topic: `
      when this project is released
      the release day of this project
      ---
      when this project goes live`,
    ask: `
      when is this project (released|deployed)?
      (which|what) day is this project released?
      when does this project ship?
      when is this project published?
      ---
      on what day does this project go live?`,
  },
  projectBranch: {
    target: 'project',
    value: '{branch}',
    said: `
      the main branch of this project is {branch}
      this project works on the branch {branch}
      in this project the branch is {branch}
      ---
      the branch to use in this project is {branch}`,
    topic: `
      the main branch of this project
      which branch this project uses
      ---
      the branch to use in this project`,
    ask: `
      (what is|what's) the main branch of this project?
      which branch does this project use?
      do you (know|remember) the branch of this project?
      ---
      on what branch is work done in this project?`,
  },
  projectPerson: {
    target: 'project',
    value: '{person}',
    said: `
      the owner of this project is {person}
      this project is run by {person}
      this project belongs to {person}
      the contact for this project is {person}
      ---
      this project is looked after by {person}`,
    topic: `
      the owner of this project
      who runs this project
      ---
      who looks after this project`,
    ask: `
      (who is|who's) the owner of this project?
      who (runs|owns) this project?
      whom do i ask about this project?
      do you (know|remember) who runs this project?
      ---
      who looks after this project?`,
  },
}
