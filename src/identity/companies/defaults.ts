/** The values of a new company, unless the request sets others. */
export const defaults = { timezone: "UTC", locale: "en-GB", language: "en", currency: "EUR" };

/** The values of settings that null resets. */
export const defaultSettings = { theme: "default", product_mode: "advanced" } as const;
