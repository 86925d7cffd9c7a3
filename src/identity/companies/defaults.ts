/** What a company has until somebody says otherwise. */
export const defaults = { timezone: "UTC", locale: "en-GB", language: "en", currency: "EUR" };

/** The settings that a company can clear: they are then as in a new one. */
export const defaultSettings = { theme: "default", product_mode: "advanced" };
