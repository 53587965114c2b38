import type { Written } from './relation.ts'

/** Where people live and keep things, what they own, and what is where in house and club. */
export const aboutHome: Readonly<Record<string, Written>> = {
  home: {
    value: '{city}',
    said: `
      i live in {city}
      i'm living in {city}
      i moved to {city}
      my home is in {city}
      ---
      i'm based in {city}
      my flat is in {city}`,
    topic: `
      where i live
      my city
      my home
      the city i live in
      ---
      my place of residence
      the town i'm in`,
    ask: `
      where do i live?
      (which|what) city do i live in?
      in (which|what) city do i live?
      do you (know|remember) where i live?
      where is my home?
      tell me where i live
      where did i move to?
      ---
      in what town am i at home?
      what place do i call home?
      where am i based?`,
  },
  origin: {
    value: '{country}',
    said: `
      i come from {country}
      i'm from {country}
      i am from {country}
      i was born in {country}
      i grew up in {country}
      ---
      my home country is {country}
      i have my roots in {country}`,
    topic: `
      where i come from
      where i'm from
      my country
      ---
      my origin
      where my roots are`,
    ask: `
      where do i come from?
      where am i from?
      (which|what) country (am i|do i come) from?
      where was i born?
      where did i grow up?
      do you (know|remember) where i'm from?
      tell me where i come from
      ---
      what is my home country?
      in what country are my roots?`,
  },
  belonging: {
    key: '{belonging}',
    value: '{place}',
    said: `
      my {belonging} is in the {place}
      i keep my {belonging} in the {place}
      i put my {belonging} in the {place}
      my {belonging} is kept in the {place}
      i left my {belonging} in the {place}
      ---
      my {belonging} lies in the {place}
      i store my {belonging} in the {place}`,
    topic: `
      where my {belonging} is
      my {belonging}
      the place of my {belonging}
      ---
      where i have my {belonging}
      where to find my {belonging}`,
    ask: `
      (where is|where's) my {belonging}?
      where do i keep my {belonging}?
      where did i (put|leave) my {belonging}?
      where can i find my {belonging}?
      do you (know|remember) where my {belonging} is?
      tell me where my {belonging} is
      i can't find my {belonging}, where is it?
      ---
      in what place is my {belonging}?
      any idea where my {belonging} could be?
      i'm looking for my {belonging}`,
  },
  car: {
    value: '{car}',
    said: `
      i drive a {car}
      i have a {car}
      my car is a {car}
      i bought a {car}
      ---
      i own a {car}
      i get around in a {car}`,
    topic: `
      my car
      what i drive
      which car i have
      ---
      the car i own`,
    ask: `
      (which|what) car do i (drive|have)?
      what do i drive?
      (what is|what's) my car?
      do you (know|remember) what i drive?
      what kind of car do i have?
      ---
      what do i get around in?
      name the car i own`,
  },
  size: {
    value: '{number}',
    said: `
      my shoe size is {number}
      my size in shoes is {number}
      i wear size {number} shoes
      ---
      i take size {number} in shoes`,
    topic: `
      my shoe size
      the size of my shoes
      ---
      how big my shoes are`,
    ask: `
      (what is|what's) my shoe size?
      (which|what) size are my shoes?
      do you (know|remember) my shoe size?
      what size of shoes do i wear?
      ---
      how big are my feet?`,
  },
  number: {
    key: '{numbered}',
    value: '{big}',
    said: `
      my {numbered} is {big}
      my {numbered}'s {big}
      ---
      my {numbered} has become {big}`,
    topic: `
      my {numbered}
      what my {numbered} is
      ---
      which {numbered} i have`,
    ask: `
      (what is|what's) my {numbered}?
      do you (know|remember) my {numbered}?
      (which|what) {numbered} do i have?
      tell me my {numbered}
      i forgot my {numbered}, what is it?
      ---
      what {numbered} was given to me?
      my {numbered} is what?`,
  },
  device: {
    key: '{device}',
    value: '{coined}',
    said: `
      my {device} is called {coined}
      my {device}'s name is {coined}
      i named my {device} {coined}
      ---
      my {device} goes by {coined}`,
    topic: `
      my {device}'s name
      what my {device} is called
      the name of my {device}
      ---
      how my {device} is called`,
    ask: `
      (what is|what's) my {device} called?
      (what is|what's) the name of my {device}?
      how is my {device} called?
      what did i name my {device}?
      do you (know|remember) my {device}'s name?
      ---
      what name did i give my {device}?`,
  },
  thing: {
    target: 'memory',
    key: '{thing}',
    value: '{place}',
    said: `
      the {thing} is in the {place}
      the {thing} is kept in the {place}
      we keep the {thing} in the {place}
      the {thing} can be found in the {place}
      the {thing} is now in the {place}
      ---
      the {thing} lies in the {place}
      the {thing} has its place in the {place}`,
    topic: `
      where the {thing} is
      the {thing}
      the place of the {thing}
      ---
      where to find the {thing}
      what you know of the {thing}`,
    ask: `
      (where is|where's) the {thing}?
      where can i find the {thing}?
      where do we keep the {thing}?
      do you (know|remember) where the {thing} is?
      tell me where the {thing} is
      i need the {thing}, where is it?
      ---
      in what place is the {thing}?
      i'm looking for the {thing}
      any idea where the {thing} is kept?`,
  },
  chore: {
    target: 'memory',
    key: '{chore}',
    value: '{weekday}',
    said: `
      the {chore} is on {weekday}
      the {chore} is on {weekday}s
      the {chore} is on {weekday} at {hour}
      the {chore} is every {weekday}
      the {chore} was moved to {weekday}
      ---
      the {chore} takes place on {weekday}
      the {chore} happens each {weekday}`,
    topic: `
      when the {chore} is
      the {chore}
      the day of the {chore}
      ---
      on what day the {chore} is`,
    ask: `
      when is the {chore}?
      when's the {chore}?
      (which|what) day is the {chore}?
      on which day is the {chore}?
      do you (know|remember) when the {chore} is?
      tell me when the {chore} is
      ---
      what weekday was the {chore} again?
      the {chore}, when is that?`,
  },
  opens: {
    target: 'memory',
    key: '{shop}',
    value: '{hour}',
    said: `
      the {shop} opens at {hour}
      the {shop} is open from {hour}
      the {shop} opens its doors at {hour}
      ---
      the {shop} starts its day at {hour}`,
    topic: `
      when the {shop} opens
      the opening time of the {shop}
      ---
      from when the {shop} is open`,
    ask: `
      when does the {shop} open?
      when is the {shop} open?
      (what|which) time does the {shop} open?
      do you (know|remember) when the {shop} opens?
      ---
      from what time can i go to the {shop}?
      how early is the {shop} open?`,
  },
  closes: {
    target: 'memory',
    key: '{shop}',
    value: '{hour}',
    said: `
      the {shop} closes at {hour}
      the {shop} shuts at {hour}
      the {shop} closes its doors at {hour}
      ---
      the {shop} ends its day at {hour}`,
    topic: `
      when the {shop} closes
      the closing time of the {shop}
      ---
      until when i can go to the {shop}`,
    ask: `
      when does the {shop} close?
      (what|which) time does the {shop} close?
      until when is the {shop} open?
      do you (know|remember) when the {shop} closes?
      ---
      how late can i go to the {shop}?
      when is the {shop} shut?`,
  },
}
