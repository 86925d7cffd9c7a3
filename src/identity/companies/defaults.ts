/** The values of a new company, unless the request sets others. */
export const defaults = { timezone: "UTC", locale: "en-GB", language: "en", currency: "EUR" };

/** Settings that null resets. */
export const defaultSettings = { theme: "default", product_mode: "advanced" } as const;
