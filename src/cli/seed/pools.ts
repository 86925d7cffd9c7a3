/** Small pools of names and words by country, from the generator library. Rows combine them. */
import { allFakers, type Faker } from "@faker-js/faker";
import { countries, type Country } from "./countries.ts";

export interface Pool extends Country {
  readonly female: readonly string[];
  readonly male: readonly string[];
  readonly last: readonly string[];
  readonly jobs: readonly string[];
  readonly places: readonly Town[];
  /** In international form. */
  readonly phones: readonly string[];
}

export interface Town {
  readonly city: string;
  readonly zip_code: string;
  readonly street: string;
}

/** Makes one pool per country. The same seed gives the same pools. */
export function makePools(seed: number): Pool[] {
  return countries.map((country, index) => {
    const faker = allFakers[country.faker];
    faker.seed(seed + index);
    return {
      ...country,
      female: many(250, () => faker.person.firstName("female")),
      male: many(250, () => faker.person.firstName("male")),
      last: many(500, () => faker.person.lastName()),
      jobs: many(60, () => faker.person.jobTitle()),
      places: many(400, () => makeTown(faker)),
      phones: many(100, () => faker.phone.number({ style: "international" })),
    };
  });
}

function makeTown(faker: Faker): Town {
  return {
    city: faker.location.city(),
    zip_code: faker.location.zipCode(),
    street: faker.location.streetAddress(),
  };
}

function many<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
