import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { createTask } from "./create.ts";
import { deleteTask } from "./delete.ts";
import { listTasks } from "./list.ts";
import { getTask } from "./queries.ts";
import { TaskBody, TaskChange } from "./record.ts";
import { Task, TaskListQuery, TaskPage } from "./schema.ts";
import { updateTask } from "./update.ts";

const tag = "Tasks";
const one = { task_id: "uuid" } as const;

export const taskEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/tasks",
    operation: "listTasks",
    tag,
    summary: "List tasks",
    query: TaskListQuery,
    answers: { 200: { description: "A page of tasks.", schema: TaskPage } },
  }, (ctx, { query, url }) => listTasks(ctx, query, url)),
  endpoint({
    method: "post",
    path: "/v1/cases/:case_id/tasks",
    operation: "createTask",
    tag,
    summary: "Create a task on a case",
    description: "Without an activity: `activity_id` is null. The case must be open.",
    right: "cases.update",
    params: { case_id: "uuid" },
    body: TaskBody,
    answers: { 201: { description: "The task.", schema: Task } },
    conflicts: ["case_state"],
  }, (ctx, { params, body }) => createTask(ctx, params.case_id, body)),
  endpoint({
    method: "get",
    path: "/v1/tasks/:task_id",
    operation: "getTask",
    tag,
    summary: "Get a task",
    params: one,
    answers: { 200: { description: "The task.", schema: Task } },
  }, (ctx, { params }) => getTask(ctx, params.task_id)),
  endpoint({
    method: "put",
    path: "/v1/tasks/:task_id",
    operation: "updateTask",
    tag,
    summary: "Change, reassign or complete a task",
    right: "cases.update",
    params: one,
    body: TaskChange,
    answers: { 200: { description: "The updated task.", schema: Task } },
  }, (ctx, { params, body }) => updateTask(ctx, params.task_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/tasks/:task_id",
    operation: "deleteTask",
    tag,
    summary: "Delete a task",
    right: "cases.update",
    params: one,
    answers: { 204: { description: "The task is deleted.", schema: null } },
  }, (ctx, { params }) => deleteTask(ctx, params.task_id)),
];
