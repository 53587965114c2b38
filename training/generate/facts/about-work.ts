import type { Written } from './relation.ts'

/** Work, learning, and what holds for a project. */
export const aboutWork: Readonly<Record<string, Written>> = {
  job: {
    value: '{job}',
    said: `
      (i'm|i am|i work as|i'm working as|i am working as|i'm employed as|i have a job as|i've got a job as|i usually work as) a {job}
      my (job|work|occupation|day job|current job) is (that of a|being a|to be a) {job}
      my job is {job}
      (i'm|i am) a (trained|qualified|full-time|part-time) {job}
      ---
      my profession is {job}
      i earn my money as a {job}`,
    topic: `
      (my (job|work|occupation|day job)|the job i have)
      what (my job is|i do for a living|i work as|i do for work|i am employed as)
      ---
      my profession
      how i earn my money`,
    ask: `
      (what is|what's|what was|tell me|say) my (job|work|occupation|day job|current job|line of work|job title)( again|)?
      what do i (do for a living|work as|do for work|do at work|do all day at work|do as a job)?
      (which|what) (job|work|occupation|kind of job|sort of work) (do i have|do i do|have i got|is mine|am i in)?
      (do you|can you) (know|remember|recall|tell me|say) (my job|what i do for work|what i work as|what my job is)?
      (tell me|i forgot|need to know) (what my job is|what i work as|what i do for a living)( please|)
      (as what|in what job) (am i working|do i work|am i employed)?
      (my job|my occupation|job|my work)(, | - |: )(which one|what again|what is it|please)?
      (on a form|if they ask my job|when asked for my occupation)(, |: )what (should i write|do i say|am i)?
      ---
      what's my profession?
      how do i earn my money?
      what am i by trade?`,
  },
  company: {
    value: '{company}',
    said: `
      i (work|usually work) (at|for|with) {company}
      (i'm|i am) (working at|working for|employed at|on the staff of|on the payroll of|on a contract with|an employee of|new at) {company}
      my (employer|company|firm|workplace|current employer|boss's company) is {company}
      i (started at|started working for|got hired by|got a job at|started work at) {company}
      ---
      i have a job with {company}`,
    topic: `
      (where|who|at which company|for whom) i work
      my (employer|company|firm|workplace)
      who i work for
      ---
      the place i work at`,
    ask: `
      (where|at which company|for which company|for what firm|for whom|at what firm) (do i work|did i work|am i working)( now|)?
      (who|what company|which firm|which company|what employer) (do i work for|am i working for|am i employed at|pays my salary)?
      (what is|what's|who is|who's|tell me|say) my (employer|company|firm|workplace|current employer)( called| again|)?
      (do you|can you) (know|remember|recall|tell me|say) (where i work|who i work for|my employer)?
      (tell me|i forgot|need to know) (where i work|who i work for|my employer)( please|)
      (what is|what's|tell me) the (name of my company|name of my employer|firm i work for|company i'm at)( again|)?
      (my employer|my company|my firm|my workplace|employer)(, | - |: )(which one|what again|who is it|please)?
      ---
      at what place do i earn my money?
      who employs me?`,
  },
  subject: {
    value: '{subject}',
    said: `
      i (study|studied|always studied|major in|started studying) {subject}
      (i'm|i am) (studying|majoring in|doing a degree in|enrolled in|taking a degree in|at university for) {subject}
      my (subject|major|main subject|degree|course of study|university subject) is {subject}
      ---
      i am a student of {subject}`,
    topic: `
      (what|which subject|the subject) i study
      my (subject|studies|major|degree|main subject)
      ---
      the field i'm in`,
    ask: `
      what (do i study|did i study|am i studying)( at university| at college|)?
      (what is|what's|which is|what was|tell me|say) my (subject|major|degree|main subject|course of study)( again|)?
      (which|what) (subject|degree|course) (do i study|did i study|am i doing|am i taking|do i do|is mine)?
      (do you|can you) (know|remember|recall|tell me|say) (what i study|my subject|which subject i study)?
      (tell me|i forgot|need to know) (what i study|my subject|what my major is)( please|)
      in (what|which subject) (do i have a degree|am i enrolled|do i major|am i majoring)?
      (my subject|my studies|my major|my degree)(, | - |: )(which one|what again|what is it|please)?
      ---
      what am i a student of?`,
  },
  language: {
    value: '{language}',
    said: `
      (i'm|i am) (learning|studying|trying to learn|practising|busy learning|teaching myself) {language}
      i (learn|practise|started learning|started to learn|try to learn|want to learn) {language}
      i study {language} at night
      ---
      i take lessons in {language}`,
    topic: `
      (the|which|what) language (i'm learning|i learn|i practise)
      what i'm learning
      ---
      the language i take lessons in`,
    ask: `
      (which|what) (language|foreign language|new language) (am i learning|do i learn|am i studying|am i practising|am i trying to learn|do i practise)?
      what am i (learning|teaching myself|trying to learn)( at the moment| now|)?
      (do you|can you) (know|remember|recall|tell me|say) (which|what) language (i'm|i am) learning?
      (tell me|i forgot|need to know) (which language i'm learning|what i'm learning|the language i learn)( please|)
      (the language i learn|my new language|language learning|my language course)(, | - |: )(which one|what again|which language|please)?
      (am i|do i|would i be) (learning|learn) (a|any|some) language? (which|what one|which one is it)?
      ---
      in what language do i take lessons?`,
  },
  speaks: {
    value: '{language}',
    said: `
      my (native language|mother tongue|first language|native tongue|home language|best language|family language) is {language}
      i (speak|always speak|usually speak|talk) {language}( at home| with my family| with my parents| with everyone|)
      (i'm|i am) a native (speaker of {language}|{language} speaker)
      ---
      my language is {language}`,
    topic: `
      my (native language|mother tongue|first language|native tongue|home language)
      (which|what|the) language i speak( at home|)
      ---
      my language`,
    ask: `
      (what is|what's|what was|which is|tell me|say) my (native language|mother tongue|first language|native tongue|home language)( again|)?
      (which|what) (language|tongue) do i (speak|talk|speak at home|speak best|speak with my family)?
      (do you|can you) (know|remember|recall|tell me|say) (which language i speak|my mother tongue|my native language)?
      (tell me|i forgot|need to know) (which language i speak|my native language|my mother tongue)( please|)
      (my mother tongue|my native language|first language|the language i speak)(, | - |: )(which one|what again|what is it|please)?
      (of which language|of what language) am i a (native|first-language) speaker?
      ---
      in what language was i raised?`,
  },
  editor: {
    value: '{editor}',
    said: `
      i (use|always use|usually use|often use|rely on|swear by|like to use) {editor}( at work| every day| for my work| most of the time|)
      my (editor|favourite app|main program|main tool|daily program|favourite program|number one app) is {editor}
      (i'm|i am) (using|a user of|a fan of|happy with|a daily user of) {editor}
      ---
      i do everything in {editor}`,
    topic: `
      (which|what|the) (editor|program|browser|app|software) i (use|usually use)
      my (editor|browser|program|app|main program|main tool)
      ---
      the app i work with`,
    ask: `
      (which|what) (editor|program|browser|app|software|tool|application) (do i use|am i using|do i rely on|is mine|do i usually use|do i swear by)?
      (what is|what's|which is|tell me|say) my (editor|browser|favourite app|program|main program|main tool|software)( again|)?
      (do you|can you) (know|remember|recall|tell me|say) (which|what) (editor|browser|program|app) i use?
      (tell me|i forgot|need to know) (which editor i use|my editor|which program i use|my browser)( please|)
      (my editor|my main program|my browser|the app i use)(, | - |: )(which one|what again|which is it|please)?
      (with what|with which) (editor|program|app|software|tool) (do i write|do i do my job|am i happy)?
      ---
      in what program do i work?`,
  },
  responsible: {
    target: 'memory',
    key: '{noun}',
    value: '{person}',
    said: `
      {person} (|always |usually |also ){verb} the {noun}
      the {noun} (is done by|belongs to|is handled by|is up to|is the duty of|is the job of) {person}
      the {noun} is {person}'s (task|job|duty|responsibility|business)
      {person} (is in charge of|has charge of|does|is the one for|sees to|deals with) the {noun}
      the (person for|one in charge of|contact for) the {noun} is {person}
      ---
      the {noun} is in the hands of {person}`,
    topic: `
      who (does|handles|deals with|sees to) the {noun}
      the {noun}
      who is (responsible for|in charge of) the {noun}
      the person (for|in charge of) the {noun}
      ---
      whose task the {noun} is`,
    ask: `
      who (|always |usually |is it that |again ){verb} the {noun}?
      (who is|who's|who was|which person is) (responsible for|in charge of|the contact for|the one for|assigned to|busy with) the {noun}?
      (who|which person|who again) (does|handles|sees to|deals with|takes charge of|has) the {noun}?
      (whom|who) (do|should|can|must|could) i (ask|contact|talk to|speak to|turn to|call) about the {noun}?
      (do you|can you) (know|remember|recall|tell me|say) who (does|{verb}|handles|is in charge of) the {noun}?
      (tell me|i forgot|need to know) who (does|{verb}|is responsible for) the {noun}( please|)
      the {noun}(, | - |: )(who does it|who is in charge|who does that|who again|whom to ask)?
      who has (the job|the duty|charge|the care) of the {noun}?
      (to whom|who) does the {noun} belong( to|)?
      by whom is the {noun} (done|handled|managed)?
      ---
      in whose hands is the {noun}?
      whose task is the {noun}?`,
  },
  deadline: {
    target: 'memory',
    key: '{noun}',
    value: '{date}',
    said: `
      the {noun} (is due on|is due|has to be ready by|starts on|is planned for|is scheduled for|is set for|takes place on|is on|is fixed for) {date}
      the {noun} (deadline|date|due date) is {date}
      the (deadline|due date|date|last day) (for|of) the {noun} is {date}
      we (need|have) the {noun} (on|by|ready by) {date}
      ---
      the {noun} must be finished on {date}`,
    topic: `
      when the {noun} (is|is due|takes place|is planned|starts)
      the {noun} (deadline|date|due date)
      the (deadline|due date|last day) for the {noun}
      the date (of|for) the {noun}
      ---
      until when the {noun} must be ready`,
    ask: `
      when (is|was) the {noun}( due| planned| scheduled| set for| taking place| going to be|)?
      (when is|when's|what is|what's|which is|tell me) the {noun} (deadline|date|due date)( again|)?
      (what is|what's|which is|tell me|say) the (deadline|due date|date|last day) (for|of) the {noun}( again|)?
      (until when|for when|on which date|on what date|which day) (must|should|has|is) the {noun} (be ready|to be ready|due|planned)?
      (do you|can you) (know|remember|recall|tell me|say) when the {noun} (is due|is|starts|takes place|is planned)?
      when (does|will|should|must) the {noun} (start|take place|be ready|begin|happen)?
      (tell me|i forgot|need to know) (when the {noun} is due|the date of the {noun}|the {noun} deadline)( please|)
      the {noun}(, | - |: )(when is it due|when is that|which date|what date again|when again|until when)?
      ---
      by what date should the {noun} be done?
      how long do i have for the {noun}?`,
  },
  codeName: {
    target: 'memory',
    key: '{noun}',
    value: '{coined}',
    said: `
      the {noun} (is called|is named|is known as|was named|has the name|bears the name|carries the name) {coined}
      the {noun} (server|company|contact) is( called|) {coined}
      the (name|title|code name) of the {noun} is {coined}
      we (call|named) the {noun} {coined}
      ---
      the {noun} goes by the name {coined}`,
    topic: `
      (what|by which name) the {noun} is (called|named)
      the (name|title|code name) of the {noun}
      ---
      how the {noun} is called`,
    ask: `
      (what is|what's|what was) the {noun} (called|named|known as)( again|)?
      (what is|what's|what was|which is|tell me|say) the (name|title|code name) (of|for) the {noun}( again|)?
      (how is|how's|how was) the {noun} (called|named)( again|)?
      (do you|can you) (know|remember|recall|tell me|say) (the name of the {noun}|what the {noun} is called)?
      (tell me|i forgot|need to know) (what the {noun} is called|the name of the {noun})( please|)
      (what|how) do (we|i|they|people) call the {noun}( again|)?
      the {noun}(, | - |: )(what is it called|what's its name|what was the name|name please|how is it named)?
      (by what name|by which name|under which name) is the {noun} (known|called)?
      ---
      what name does the {noun} have?`,
  },
  projectCode: {
    target: 'project',
    value: '{code}',
    said: `
      this (project|repository|repo) (is written in|uses|is in|is coded in|is programmed in|is built on|is based on|runs on|consists of) {code}
      this project is a {code} project
      the (language|programming language|source code|code) of this project is {code}
      ---
      this codebase is made with {code}`,
    topic: `
      (what|which language) this project (is written in|uses|is coded in)
      the (language|programming language) of this project
      ---
      which language this codebase is made with`,
    ask: `
      (what|which language|which programming language|in which language|in what) is this (project|repository|repo) (written|coded|programmed|written in|coded in)?
      (which|what) (programming language|language|tech) (does this project use|do we use in this project|is this project based on|do i need for this project)?
      what does this project (use|consist of|run on)?
      (do you|can you) (know|remember|recall|tell me|say) (what this project is written in|the language of this project)?
      (what is|what's|tell me|say) the (language|programming language|code) of this (project|repo)( again|)?
      this (project|repo)(, | - |: )(which language|what language is it|what is it written in|what is it coded in)?
      ---
      this codebase, what is it made with?`,
  },
  projectTests: {
    target: 'project',
    value: '{command}',
    said: `
      this project is (tested|built|always tested|to be tested) with {command}
      the (tests|unit tests) of this project (run with|are run with|start with|are started by|need) {command}
      the (build|test command|build command|test run) of this project is {command}
      in this project the tests are (run|started) with {command}
      ---
      the checks of this project are done with {command}`,
    topic: `
      how (this project is tested|to test this project|the tests of this project run)
      the (test command|tests|build) of this project
      ---
      how this project is checked`,
    ask: `
      how (is|was) this project (tested|built)( again|)?
      how (do|can|should|must) (i|we|you) (test|build|run the tests of) this project?
      how do the tests (of|in|for) this project (run|work|start)?
      with (what|which) command (do the tests of this project run|is this project tested|do i test this project|are the tests of this project run)?
      (what is|what's|which is|tell me|i forgot|say) the (test command|build command|command for the tests) (of|for|in) this project( again|)?
      (do you|can you) (know|remember|recall|tell me|say) (how this project is tested|how to test this project|the test command of this project)?
      the tests of this project(, | - |: )(how do i run them|which command|how do they start|what command again)?
      ---
      how do i check this project?`,
  },
  projectDay: {
    target: 'project',
    value: '{weekday}',
    said: `
      this project (is released|is deployed|is published|is shipped|is rolled out|is updated) (on {weekday}s|every {weekday})
      this project ships (every {weekday}|on {weekday}s)
      the (release day|release|deployment|deploy day|shipping day) of this project is (on|always on|every) {weekday}
      in this project (we release|we deploy|we ship|releases happen|releases are) (on {weekday}s|every {weekday})
      ---
      this project goes live on {weekday}s`,
    topic: `
      when this project (is released|is deployed|ships|is published)
      the (release day|deploy day|release|day of release) of this project
      ---
      when this project goes live`,
    ask: `
      (when|which day|on which day|what day) (is|was) this project (released|deployed|published|shipped|rolled out)( again|)?
      (when|which day|what day) does this project (ship|get released|get deployed|come out)?
      (what is|what's|which is|when is|tell me) the (release day|deploy day|release|deployment) of this project( again|)?
      (when|on which day) do (we|i|you) (release|deploy|ship|publish) this project?
      (do you|can you) (know|remember|recall|tell me|say) (when this project is released|the release day of this project)?
      (tell me|i forgot|need to know) (when this project ships|when this project is released)( please|)
      this project(, | - |: )(when is it released|which day is release day|when do we deploy|when does it ship)?
      ---
      on what day does this project go live?`,
  },
  projectBranch: {
    target: 'project',
    value: '{branch}',
    said: `
      the (main|default|working|base|current|development) branch of this project is {branch}
      this project (works on|uses|lives on|is developed on|builds from|merges into) the branch {branch}
      in this project (the branch|the main branch|our branch) is {branch}
      ---
      the branch to use in this project is {branch}`,
    topic: `
      the (main |default |working |)branch of this project
      (which|what) branch this project (uses|works on|lives on)
      ---
      the branch to use in this project`,
    ask: `
      (what is|what's|which is|what was|tell me|say) the (main |default |working |base |)branch (of|in|for) this project( again|)?
      (which|what) branch does this project (use|work on|live on|build from|merge into)?
      (do you|can you) (know|remember|recall|tell me|say) (the branch of this project|which branch this project uses)?
      (tell me|i forgot|need to know) (the branch of this project|which branch this project uses)( please|)
      this project(, | - |: )(which branch|what branch again|what is its branch|which branch does it use|main branch)?
      (to|from|on) which branch (do we|do i|should i|must i) (push|commit|merge|develop|branch off) in this project?
      ---
      on what branch is work done in this project?`,
  },
  projectPerson: {
    target: 'project',
    value: '{person}',
    said: `
      the (owner|lead|leader|head|boss|maintainer|contact|manager) of this project is {person}
      this project (is run by|belongs to|is led by|is owned by|is managed by|is maintained by) {person}
      the (contact|person|one to ask) for this project is {person}
      ---
      this project is looked after by {person}`,
    topic: `
      the (owner|lead|maintainer|contact|manager|boss) of this project
      who (runs|owns|leads|manages|maintains) this project
      ---
      who looks after this project`,
    ask: `
      (who is|who's|who was|tell me|say) the (owner|lead|leader|head|maintainer|manager|boss|contact) (of|for) this project( again|)?
      who (runs|owns|leads|manages|maintains|heads) this project?
      (whom|who) (do|should|can|must) i (ask|contact|talk to|speak to|call|turn to) about this project?
      (do you|can you) (know|remember|recall|tell me|say) who (runs|owns|leads|manages) this project?
      (tell me|i forgot|need to know) who (runs|owns|leads|manages) this project( please|)
      (to whom|who) does this project belong( to|)?
      this project(, | - |: )(who runs it|who is the owner|who leads it|who is in charge|whose is it)?
      ---
      who looks after this project?`,
  },
}
