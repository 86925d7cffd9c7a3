/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The form of a record that some people may change. */
import type { PropsWithChildren } from "hono/jsx";
import { Form, type FormProps } from "../forms.tsx";

interface Props extends FormProps {
  readonly mayChange: boolean;
}

/** A form for those who may send it; others see its fields, and can change none. */
export function FormOrFields({ mayChange, children, ...form }: PropsWithChildren<Props>) {
  if (mayChange) return <Form {...form}>{children}</Form>;
  return <fieldset disabled {...(form.class ? { class: form.class } : {})}>{children}</fieldset>;
}
