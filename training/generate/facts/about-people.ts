import type { Written } from './relation.ts'

/** Names, family, animals and days. */
export const aboutPeople: Readonly<Record<string, Written>> = {
  name: {
    value: '{person}',
    said: `
      my name is {person}
      my name's {person}
      call me {person}
      i'm called {person}
      (i go under the name of|i'm named|i am named|i'm known as|i answer to|i respond to|i sign as) {person}
      my (full name|nickname|given name|proper name|real name) is {person}
      ---
      my first name is {person}
      i am called {person}`,
    topic: `
      (my name|my own name|what i'm called)
      (my (full name|nickname|given name|real name|proper name)|the name i told you|how you (should |)address me|how to call me|what i'm named|how i'm called)
      ---
      what you call me
      who i am`,
    ask: `
      (what is|what's) my name?
      who am i?
      what am i called?
      what do you call me?
      (do|can) you (know|remember) my name?
      do you know who i am?
      tell me my name
      how do you call me?
      (could|can|would) you (please |)(tell me|let me hear|remind me of|repeat|recall|spell) my (own |)name?
      (which|what) name (do i have|is mine|have i got|did i tell you|did i give you|am i known by|should you call me)?
      (how|by which name|with which name) (do you|should you|would you|will you|can you) (address|call|greet) me?
      (have you forgotten|did you forget|you know|you remember|have you got|do you still have|did i tell you|have i mentioned) my name?
      (my name|name of me|my own name)(, please|: what is it|? do you know it|, quick|, what is it|, do you know it)?
      (who is speaking to you|who is writing to you|who is typing here|who is your user)?
      (what am i named|how am i named|how am i called|who am i to you|do i have a name|who is this person here|do you recognise me)?
      (i'd like to hear|i want to hear|let's see if you know|bet you don't know|surely you know|prove that you know) (my name|who i am|what i'm called)
      (i have amnesia|i hit my head|quick test|memory test|short quiz)(, |. )(who am i|what's my name|what am i called)?
      ---
      do you remember who you are talking to?
      say my name
      what name do i go by?`,
  },
  pet: {
    key: '{pet}',
    value: '{petname}',
    said: `
      my {pet} is called {petname}
      my {pet}'s name is {petname}
      my {pet} is named {petname}
      i have a {pet} called {petname}
      i have a {pet} named {petname}
      i've got a {pet} called {petname}
      (i call my {pet}|i have named my {pet}|i gave my {pet} the name) {petname}
      my {pet} (is|answers to|listens to the name|responds to|was named|has been named|was baptised) {petname}
      (i own|i keep|i adopted|i got|i bought|i have got) a {pet} (called|named|by the name of) {petname}
      ---
      my {pet} goes by {petname}
      my {pet} has the name {petname}`,
    topic: `
      (my {pet}'s name|the name of my {pet}|what my {pet} is called|my {pet})
      (what i (named|call|christened)|which name i gave|the name i gave|what to call) my {pet}
      (the name (that |)my {pet} (bears|got|answers to)|who my {pet} is|what my {pet} (is named|answers to|listens to))
      ---
      how my {pet} is called
      what name my {pet} has`,
    ask: `
      (what is|what's) my {pet} called?
      (what is|what's) my {pet}'s name?
      (what is|what's) the name of my {pet}?
      how is my {pet} called?
      do you (know|remember) my {pet}'s name?
      what did i (call|name) my {pet}?
      tell me (my {pet}'s name|what my {pet} is called)
      which name does my {pet} have?
      (could|can|would) you (please |)(tell me|remind me of|let me know|recall) (my {pet}'s name|the name of my {pet}|what my {pet} is called)?
      (which|what) name (did i give|have i given|did i choose for|did i pick for|do i use for|did we give) my {pet}?
      (how did i name|what have i named|what did i christen|how should you call|how did we name|how did i baptise) my {pet}?
      (my {pet}'s name|name of my {pet}|the {pet} name|my {pet})(, please|: what is it|? i forgot|, quick, the name|, tell me the name)
      (i forgot|i can't recall|i need|need to know|i'd love to hear|i want to hear|tell the vet) (my {pet}'s name|the name of my {pet}|what my {pet} is called)
      (did i tell you|have i mentioned|you know|do you happen to know|are you aware of|do you still have) (my {pet}'s name|the name of my {pet})?
      (who is|who's) my {pet}?
      what does my {pet} (answer to|listen to|respond to)?
      (what is|what's|how is) my {pet} (named|baptised|christened|known as)?
      my {pet} (ran off|is gone|must come in|needs calling), (what name do i shout|what do i shout|which name do i call)?
      (the vet asks|the neighbour asks|for the vet)(: |, )(what is the name of my {pet}|what's my {pet} called|how is my {pet} named)?
      ---
      my {pet} is called what?
      what do i call my {pet}?
      any idea how my {pet} is named?`,
  },
  relative: {
    key: '{relative}',
    value: '{person}',
    said: `
      my {relative} is called {person}
      my {relative}'s name is {person}
      my {relative} is {person}
      my {relative} is named {person}
      my {relative} (answers to|is known as|was named|has always been called|introduces themself as|bears the name|signs as) {person}
      (i call my {relative}|i know my {relative} as|i have a {relative} called|i have a {relative} named|i've got a {relative} called|i've got a {relative} named) {person}
      ---
      my {relative} goes by {person}
      my {relative} has the name {person}`,
    topic: `
      (my {relative}'s name|the name of my {relative}|what my {relative} is called|who my {relative} is)
      (the (full name|first name|identity|given name) of|how one calls|how to address|what i call) my {relative}
      (the name (that |)my {relative} (bears|goes under)|what my {relative} is named|my {relative}'s (full|first|given) name)
      ---
      how my {relative} is called
      what name my {relative} has`,
    ask: `
      (what is|what's) my {relative} called?
      (what is|what's) my {relative}'s name?
      (what is|what's) the name of my {relative}?
      (who is|who's) my {relative}?
      do you (know|remember) my {relative}'s name?
      do you (know|remember) who my {relative} is?
      tell me (my {relative}'s name|who my {relative} is)
      how is my {relative} called?
      (could|can|would) you (please |)(tell me|remind me of|let me know|recall) (my {relative}'s name|the name of my {relative}|what my {relative} is called)?
      (which|what) name (does my {relative} have|has my {relative} got|did i mention for my {relative}|belongs to my {relative}|does my {relative} bear)?
      (how should i address|how should i call|what is the first name of|who is it that is) my {relative}?
      (my {relative}'s name|name of my {relative}|first name of my {relative})(, please|: what is it|? i forgot|, quick|, tell me|, what is it)
      (i forgot|i can't recall|i need|need to know|i'd love to hear|i want to hear|i have no idea of) (my {relative}'s name|the name of my {relative}|what my {relative} is called)
      (did i tell you|have i mentioned|you know|do you happen to know|are you aware of|do you still have) (my {relative}'s name|the name of my {relative})?
      (what is|what's|how is) my {relative} (named|known as|addressed|introduced)?
      (i'm writing a card to|i'm introducing|i'm about to meet|i'm inviting) my {relative}(, what was the name|. what's the name|, which name do i write)?
      (by which name|under which name|how|as whom) (do i know|do people know|do i introduce|should you know) my {relative}?
      embarrassing, but (what's my {relative} called|what's my {relative}'s name|who is my {relative}|how is my {relative} called)?
      ---
      my {relative} is called what?
      what do people call my {relative}?
      could you name my {relative}?`,
  },
  relativeCity: {
    key: '{relative}',
    value: '{city}',
    said: `
      my {relative} lives in {city}
      my {relative} is living in {city}
      my {relative} moved to {city}
      my {relative} (resides|dwells|has settled|has a house|is at home|has an apartment|stays|rents a place|has gone to live|is now living) in {city}
      (my {relative}'s home is|my {relative}'s house is|my {relative}'s apartment is) in {city}
      my {relative} (relocated|has moved|moved away|moved house|has relocated) to {city}
      ---
      my {relative} is based in {city}
      my {relative} has a flat in {city}`,
    topic: `
      (where my {relative} lives|my {relative}'s city|the city of my {relative})
      (the (home|address|whereabouts|residence|location)|the (new |)city of residence) of my {relative}
      (where my {relative} (moved to|settled|resides|dwells|is at home|is living)|which city my {relative} (lives in|moved to)|my {relative}'s (address|home|location))
      ---
      the place my {relative} lives in
      my {relative}'s home town`,
    ask: `
      where does my {relative} live?
      (which|what) city does my {relative} live in?
      in which city is my {relative}?
      do you (know|remember) where my {relative} lives?
      where did my {relative} move to?
      tell me where my {relative} lives
      (where is|where's) my {relative} living?
      (could|can|would) you (please |)(tell me|remind me|let me know|look up) (where my {relative} lives|which city my {relative} lives in|where my {relative} moved to)?
      (in |)(which|what) city (does my {relative} reside|is my {relative} living|is my {relative}'s home|did my {relative} settle|does my {relative} dwell|is my {relative} at home)?
      where (does my {relative} reside|did my {relative} settle|has my {relative} moved|does my {relative} dwell|is my {relative} at home|is my {relative}'s house|has my {relative} gone to live)?
      my {relative}'s (city|address|home|house|whereabouts)(, please|: where|? i forgot|, quick|, where is it)
      (i'm visiting|i'm driving to|i want to visit|i'm sending a parcel to|i'm posting a letter to) my {relative}(, which city is it|. where do i go|, to which city)?
      (i forgot|i can't recall|need to know|i'd love to hear|have i told you|did i mention|mind telling me) (where my {relative} lives|which city my {relative} lives in)
      (home of|address of|city of|whereabouts of|residence of) my {relative}(, please|: which city|? i forgot|, quick|, where)?
      (to (which|what) city|where) (has my {relative} moved|did my {relative} relocate|do i go to visit my {relative}|should i send mail for my {relative})?
      (do you happen to know|you know|are you aware|did i say) (where my {relative} (is living|lives|has gone to live|moved to))?
      ---
      in what town do i find my {relative}?
      my {relative} lives where?`,
  },
  relativeAge: {
    key: '{relative}',
    value: '{number}',
    said: `
      my {relative} is {number} years old
      my {relative} is {number}
      my {relative} turned {number}
      my {relative} (is now|has turned|is already|became|reached|has reached the age of|has become|has got to the age of) {number}
      my {relative}'s (age|present age|exact age) is {number}
      ---
      my {relative} is aged {number}
      my {relative} just turned {number}`,
    topic: `
      (my {relative}'s age|the age of my {relative}|how old my {relative} is)
      (how old my {relative} (has become|turned|got|has got)|the age my {relative} (has reached|reached))
      ((the exact age|the number of years|the present age|the years) of my {relative}|my {relative}'s (years|exact age))
      ---
      how many years my {relative} has`,
    ask: `
      how old is my {relative}?
      (what is|what's) my {relative}'s age?
      (what is|what's) the age of my {relative}?
      do you (know|remember) how old my {relative} is?
      tell me how old my {relative} is
      (could|can|would) you (please |)(tell me|remind me|let me know|say) (how old my {relative} is|my {relative}'s age|the age of my {relative})?
      (how many years old is my {relative}|how many candles for my {relative}|how many birthdays has my {relative} had|how aged is my {relative}|how young is my {relative})?
      (my {relative}'s age|age of my {relative}|my {relative}'s years)(, please|: how old|? i forgot|, quick|, what is it|, tell me)?
      (i forgot|i can't recall|need to know|i'd love to hear|have i told you|did i mention|mind telling me) (how old my {relative} is|my {relative}'s age)
      which (age does my {relative} have|age has my {relative} reached|number goes on the cake for my {relative}|age did i mention for my {relative})?
      (how old (did my {relative} turn|has my {relative} become|has my {relative} got|would my {relative} be|did i say my {relative} is))?
      (i need candles for the cake|for the card|for the form)(, |. )(how old is my {relative}|what's the age of my {relative}|my {relative}'s age please)?
      how (long ago was my {relative} born|many years has my {relative} lived|old would you say my {relative} is)?
      (do you happen to know|you know|are you aware|did i say) (how old my {relative} is|my {relative}'s age|the age of my {relative})?
      ---
      what age is my {relative}?
      my {relative} is how old?`,
  },
  birthday: {
    value: '{date}',
    said: `
      my birthday is on {date}
      my birthday is {date}
      my birthday's on {date}
      i was born on {date}
      (i celebrate my birthday on|i celebrate on|my birth date is|my date of birth is|my big day is|my bday is|my birthdate is) {date}
      ---
      my birthday falls on {date}
      i have my birthday on {date}`,
    topic: `
      (my birthday|when my birthday is|the date of my birthday)
      (my (date of birth|birth date|bday|birthdate|big day)|when i (was born|came into the world|have birthday|celebrate my birthday)|which day my birthday is)
      ---
      the day i was born
      when i turn a year older`,
    ask: `
      when is my birthday?
      when's my birthday?
      (what is|what's) my birthday?
      do you (know|remember) (my birthday|when my birthday is)?
      on which (day|date) is my birthday?
      when was i born?
      tell me (when my birthday is|my birthday)
      (could|can|would) you (please |)(tell me|remind me of|let me know|look up) (my birthday|my date of birth|my birth date|the date of my birthday)?
      (which|what) (day|date) (was i born|do i celebrate|is it my birthday|do i have birthday|did i come into the world)( on|)?
      when (do i have birthday|do i celebrate|is it my birthday|do i get my cake|did i come into the world|is my big day|is my bday|am i having my birthday)?
      (my birthday|my date of birth|my bday|date of my birthday|my birth date)(, please|: when|? i forgot|, when|, which day|, quick|, tell me)
      (i forgot|i can't recall|need to know|i'd love to hear|have i told you|did i mention|mind telling me) (when my birthday is|when i was born|my birth date)
      (which|what) (month and day|entry in the calendar) is my birthday?
      (what is|what's) my (date of birth|birth date|bday|birthdate)?
      (when will you congratulate me|when do you sing for me|when should people bring me presents|when do i get presents), i mean my birthday?
      (the form asks for|they want to know|they're asking for) my date of birth(, what is it|. when is it|, when was i born)?
      (you know my birthday|did you note my birthday|do you happen to know my birthday|is my birthday in your notes), (right|yes)?
      ---
      what date is my birthday?
      on what day do i turn a year older?`,
  },
  relativeBirthday: {
    key: '{relative}',
    value: '{date}',
    said: `
      my {relative}'s birthday is on {date}
      my {relative}'s birthday is {date}
      my {relative} has birthday on {date}
      my {relative} (celebrates|has a birthday|came into the world|has their birthday|gets presents|has their big day) on {date}
      my {relative}'s (date of birth|birth date|bday|big day|birthdate) is {date}
      ---
      my {relative} was born on {date}
      my {relative}'s birthday falls on {date}`,
    topic: `
      (my {relative}'s birthday|when my {relative} has birthday|the birthday of my {relative})
      (the (date of birth|birth date|bday|big day) of my {relative}|when my {relative} (was born|celebrates|has a birthday)|my {relative}'s (bday|date of birth|birth date))
      ---
      the day my {relative} was born`,
    ask: `
      when is my {relative}'s birthday?
      when does my {relative} have birthday?
      (what is|what's) my {relative}'s birthday?
      do you (know|remember) my {relative}'s birthday?
      on which day is my {relative}'s birthday?
      tell me when my {relative}'s birthday is
      (could|can|would) you (please |)(tell me|remind me of|let me know|look up) (my {relative}'s birthday|the birthday of my {relative}|when my {relative} was born)?
      (which|what) (day|date) (was my {relative} born|is it my {relative}'s birthday|does my {relative} have birthday)?
      when (was my {relative} born|does my {relative} celebrate|is it my {relative}'s birthday|is my {relative}'s bday|does my {relative} get presents|do i congratulate my {relative})?
      (my {relative}'s birthday|birthday of my {relative}|bday of my {relative}|my {relative}'s bday)(, please|: when|? i forgot|, when|, which day|, quick|, tell me)
      (i forgot|i can't recall|need to know|i don't want to miss|have i told you|did i mention) (my {relative}'s birthday|the birthday of my {relative}|when my {relative} was born)
      (what is|what's|when is) (the birthday of my {relative}|my {relative}'s date of birth|the date of birth of my {relative}|my {relative}'s big day)?
      (i want to send a card to|i need a cake for|i'm planning a surprise for) my {relative}(, when is the birthday|. which day is the birthday|, when was the birthday)?
      (do you happen to know|you know|did you note|are you aware of|do you still have) (my {relative}'s birthday|the birthday of my {relative}|when my {relative} has birthday)?
      ---
      what date is my {relative}'s birthday?
      on what day do we celebrate my {relative}?`,
  },
  appointment: {
    key: '{appointment}',
    value: '{weekday}',
    said: `
      my {appointment} is on {weekday}
      my {appointment} is on {weekday} at {hour}
      my {appointment} is next {weekday}
      my {appointment} is this {weekday}
      i have my {appointment} on {weekday}
      my {appointment} (is planned for|will be on|was set for|is scheduled for|is booked for|comes up on|starts on|is due on|is coming) {weekday}
      (i've got my|i have got my|i go to my|i must go to my|i have scheduled my|i'm going to my) {appointment} on {weekday}
      ---
      my {appointment} takes place on {weekday}
      my {appointment} was moved to {weekday}`,
    topic: `
      (my {appointment}|when my {appointment} is|the day of my {appointment})
      (the (weekday|time|schedule|slot) of my {appointment}|when (i have|i go to|i must be at|i booked) my {appointment}|which day my {appointment} is)
      ---
      the date of my {appointment}
      on what day my {appointment} is`,
    ask: `
      when is my {appointment}?
      when's my {appointment}?
      (which|what) day is my {appointment}?
      on (which|what) day is my {appointment}?
      do you (know|remember) when my {appointment} is?
      when do i have my {appointment}?
      tell me when my {appointment} is
      (could|can|would) you (please |)(tell me|remind me|let me know|check) (when my {appointment} is|which day my {appointment} is|when i have my {appointment})?
      (for |)(which|what) (day|weekday|day of the week) (is|have i booked|did i book|did i plan|have i got|do i have|did i schedule) my {appointment}?
      when (do i go to|must i go to|am i going to|should i be at|will i have|have i booked|have i got|do i need to leave for) my {appointment}?
      my {appointment}(, which day|? when|: please, which day| - day|: tell me the day|, quick, the day)(, please|? i forgot|)
      (day of|time of|schedule of|weekday of) my {appointment}(, please|? i forgot|, quick|, which|)?
      (i forgot|i can't recall|need to know|i don't want to miss it,|have i told you|did i mention|mind telling me) (when my {appointment} is|which day my {appointment} is)
      (i mustn't miss|i don't want to miss|i'm planning around|i'm nervous about|i have to prepare for) my {appointment}(, when is it|. which day is it|, when does it start)?
      (how soon is|when does it start,|when does it come up,|when do i have to be there for) my {appointment}?
      (do you happen to know|you know|did you note|are you aware|do you still have) (when my {appointment} is|the day of my {appointment})?
      ---
      what day was my {appointment} again?
      my {appointment}, when is that?`,
  },
  flight: {
    key: '{city}',
    value: '{weekday}',
    said: `
      my flight to {city} is on {weekday}
      my flight to {city} leaves on {weekday}
      my train to {city} leaves on {weekday}
      my trip to {city} starts on {weekday}
      i fly to {city} on {weekday}
      my (journey|ferry|coach|holiday|plane|vacation|drive|tour|business trip) to {city} (starts on|is on|begins on|is planned for|is booked for|leaves on|goes on) {weekday}
      (i go|i depart|i set off|i'm flying|i'm going|i sail|i drive|i'm driving|i leave|i will fly|i take the train) to {city} on {weekday}
      ---
      my bus to {city} leaves on {weekday}
      i travel to {city} on {weekday}`,
    topic: `
      (my trip to {city}|when i go to {city}|my journey to {city})
      (my (flight|train|holiday|visit|drive|tour|departure|plane|vacation) to|when i (fly|depart|set off|drive) to|the (trip|flight|journey|ride|travel) to) {city}
      ---
      when i leave for {city}`,
    ask: `
      when do i go to {city}?
      when am i going to {city}?
      when is my trip to {city}?
      (which|what) day do i go to {city}?
      do you (know|remember) when i go to {city}?
      tell me when i leave for {city}
      (could|can|would) you (please |)(tell me|remind me|let me know|check) (when i go to {city}|when i fly to {city}|which day i leave for {city}|when my trip to {city} is)?
      when (do i|will i|must i|should i|am i supposed to|do i have to) (fly to|depart for|set off for|get going to|drive to|set out for) {city}?
      when (does|will) my (flight|train|plane|journey|trip|ferry|holiday) to {city} (leave|start|depart|go|begin|take off)?
      (which|what) (day|weekday|date) (is|did i book for) my (flight|trip|journey|train|holiday|departure|plane|visit|ferry) to {city}?
      my (flight|trip|journey|train|holiday|visit|plane) to {city}(, when|: which day|, please, when is it|? i forgot the day|, quick, which day)?
      (i'm packing|i have to pack|i'm excited)(, |. )(when do i fly to {city}|when is my trip to {city}|which day do i go to {city})?
      (i forgot|i can't recall|need to know|have i told you|did i mention|mind telling me) (when i go to {city}|when i fly to {city}|which day i go to {city})
      (departure to|trip to|flight to|journey to|leaving for) {city}(, when|: which day|? i forgot the day|, which day is it|, what did i book)?
      (how soon|by when) (do i go|am i going|do i fly|do i have to leave|will i set off) to {city}?
      (do you happen to know|you know|did you note|are you aware) (when i go to {city}|when i fly to {city}|the day of my trip to {city})?
      ---
      on what day do i leave for {city}?
      when am i off to {city}?`,
  },
}
